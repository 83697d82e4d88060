"""How upsweep.mpi fails to load, each time in a process of its own: python.sh starts it, without MPI."""

import os
import subprocess
import sys
import unittest

CALL = "import upsweep.mpi\nupsweep.mpi.allreduce('sum', [1.0])"


def failure(code=CALL, **environment):
    """What a process says that cannot load."""
    run = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, env={**os.environ, **environment}, timeout=50)
    return run.stderr if run.returncode else "it was not refused"


class Loading(unittest.TestCase):
    def test_missing(self):
        self.assertIn("no libupsweep_mpi.so could be loaded", failure(UPSWEEP_MPI_LIBRARY="/nowhere/libupsweep_mpi.so"))

    def test_other_mpi(self):
        other = os.environ.get("TEST_OTHER_LIBRARY")
        if not other:
            self.skipTest("there is one MPI library here")
        self.assertRegex(failure(UPSWEEP_MPI_LIBRARY=other), "was built for .*, mpi4py for .*: both must be for the same MPI library")

    def test_without_mpi4py(self):
        self.assertIn("upsweep.mpi needs mpi4py", failure(f"import sys\nsys.modules['mpi4py'] = None\n{CALL}"))

    def test_package_without_mpi(self):
        code = "import sys, upsweep\nsys.exit(str(any(name.startswith('mpi4py') for name in sys.modules)))"
        self.assertEqual(failure(code).strip(), "False")


if __name__ == "__main__":
    unittest.main()
