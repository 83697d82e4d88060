"""A Slurm of its own for a test: munged, slurmctld and one slurmd per node in the foreground, as any user.

Root is not needed: all daemons run as the caller, who is SlurmUser and SlurmdUser, with a key, sockets, ports, state and
spool folders of their own in a temporary folder. As an ordinary user slurmd can run that user's jobs only, which is all
that a test submits. There are no cgroups, no accounting and no mail. No name is looked up: addresses are 127.0.0.1, so
that a hostname that does not resolve is no hindrance. Nodes share this machine's processors.
"""

import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "sinfo")
START_SECONDS, CLIENT_SECONDS, STOP_SECONDS = 20, 10, 5
POLL_SECONDS = 0.1
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"  # where the daemons are

CONFIGURATION = """\
ClusterName=upsweep
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
InactiveLimit=0
PrologFlags=NoHold
"""


def free_ports(count):
    """Ports that nobody listens on at the moment."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def hindrance():
    """Why there can be no cluster here, or None."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=PATH)]
    if missing:
        return f"no {', '.join(missing)}: packages slurm-wlm and munge are not installed"
    try:  # as Slurm asks, also for addresses in figures
        socket.getaddrinfo("127.0.0.1", 1, socket.AF_INET, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)
    except OSError:
        return "no network interface but the loopback, of which Slurm finds no address"
    return None


def die_with_parent():
    """A daemon ends with the test, whatever ends that."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


class Cluster:
    """Nodes with that many processors each, and a GPU that is /dev/null. A context: leaving it stops every daemon."""

    def __init__(self, nodes, processors):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="upsweep-slurm-"))
        self.folder.chmod(0o711)  # munged wants its socket to be within everybody's reach
        self.nodes, self.processors, self.daemons = nodes, processors, []
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("SLURM", "SBATCH", "SRUN"))}
        self.environment.update(SLURM_CONF=str(self.folder / "slurm.conf"), PATH=PATH)

    def __enter__(self):
        try:
            self.configure()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def configure(self):
        ports = free_ports(1 + len(self.nodes))
        lines = [CONFIGURATION.format(host=socket.gethostname().split(".")[0], controller_port=ports[0],
                                      user=pwd.getpwuid(os.getuid()).pw_name, folder=self.folder)]
        for name, port in zip(self.nodes, ports[1:]):
            lines.append(f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs={self.processors} "
                         "RealMemory=1000 Gres=gpu:1\n")
        lines.append("PartitionName=test Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP\n")
        (self.folder / "slurm.conf").write_text("".join(lines))
        (self.folder / "gres.conf").write_text("Name=gpu File=/dev/null\n")
        (self.folder / "state").mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o600)

    def start(self):
        self.daemon("munged", "--foreground", f"--key-file={self.folder}/munge.key",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                    f"--seed-file={self.folder}/munged.seed", "--origin=127.0.0.1",
                    "--num-threads=2", "--force")
        self.wait_for("munged", lambda: (self.folder / "munge.socket").exists())
        self.daemon("slurmctld", "-D", "-i")
        for name in self.nodes:
            (self.folder / f"spool-{name}").mkdir()
            self.daemon("slurmd", "-D", "-N", name)
        self.wait_for("nodes", lambda: self.states() == ["idle"] * len(self.nodes))

    def daemon(self, name, *arguments):
        with open(self.folder / f"{name}-{len(self.daemons)}.out", "wb") as output:
            self.daemons.append(subprocess.Popen(
                [shutil.which(name, path=PATH), *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=self.environment, cwd=self.folder, preexec_fn=die_with_parent))

    def run(self, *command, **more):
        """A client's run; its output has both streams."""
        return subprocess.run(command, env={**self.environment, **more.pop("environment", {})}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CLIENT_SECONDS, **more)

    def states(self):
        return self.run("sinfo", "--noheader", "--Node", "--format=%T").stdout.split()

    def wait_for(self, what, is_there, seconds=START_SECONDS):
        end = time.monotonic() + seconds
        while not is_there():
            ended = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                raise RuntimeError(f"{what}: {'ended: ' + ', '.join(ended) if ended else 'not there in time'}\n{self.logs()}")
            time.sleep(POLL_SECONDS)

    def logs(self):
        """The last lines of what the daemons wrote, and the queue."""
        parts = [self.run("squeue", "--long").stdout]
        for path in sorted(self.folder.glob("*.out")):
            lines = path.read_text(errors="replace").splitlines()[-15:]
            parts += [f"--- {path.name}", *lines] if lines else []
        return "\n".join(parts)

    def stop(self):
        try:
            self.run("scancel", "--user", str(os.getuid()))
        except (OSError, subprocess.TimeoutExpired):
            pass  # nobody answers: there is nothing to cancel
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.end_steps()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end_steps(self):
        """Slurm's step managers outlive their daemon for a moment, jobs that hang for ever. All know this configuration."""
        mark = f"SLURM_CONF={self.folder}/".encode()

        def left():
            for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
                try:
                    if mark in path.read_bytes():
                        yield int(path.parent.name)
                except OSError:  # somebody else's, or gone
                    pass

        end = time.monotonic() + STOP_SECONDS
        while list(left()) and time.monotonic() < end:
            time.sleep(POLL_SECONDS)
        for process in left():
            os.kill(process, signal.SIGKILL)

    # ---- jobs ----

    def submit(self, script, *arguments, environment=None, folder=None, program=()):
        """The id of a new job; `program` is what the script gets."""
        run = self.run("sbatch", "--parsable", *arguments, str(script), *program, environment=environment or {}, cwd=folder)
        if run.returncode:
            raise RuntimeError(f"sbatch: {run.stdout}")
        return run.stdout.strip().split(";")[0]

    def wait(self, job, seconds):
        """Waits for a job or array; exit codes of its tasks, in no order, "CODE:SIGNAL" as Slurm tells them."""
        codes = []

        def is_done():
            text = self.run("scontrol", "show", "job", "--oneliner", job).stdout
            fields = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in text.splitlines()]
            codes[:] = [f"{task.get('JobState')} {task.get('ExitCode')}" for task in fields]
            return codes and all(code.split()[0] in ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL")
                                 for code in codes)

        self.wait_for(f"job {job}", is_done, seconds)
        return sorted(codes)
