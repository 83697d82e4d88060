"""Reductions over the ranks of an MPI program, with mpi4py: `import upsweep.mpi`.

    >>> import numpy, upsweep.mpi
    >>> x = numpy.arange(5.0)                       # this rank's elements
    >>> total = upsweep.mpi.allreduce("sum", x)     # of all ranks, on all ranks
    >>> bits = upsweep.mpi.allreduce("sum", x, accuracy="reproducible")

With accuracy="reproducible" results have the same bits for any number of ranks and any split of the elements.

All functions here are collective: every rank of the communicator calls them, in the same order, with the same function, dtype, accuracy, nan,
fold and root. Arrays, their sizes, places and strides are each rank's own. If one rank fails, all raise an error, whose text names the rank.
Results, arrays and options are those of the functions of the package of the same name; indices count over the ranks.

The functions are in libupsweep_mpi, which is built for one MPI library: that of mpi4py. It is looked for at the path in UPSWEEP_MPI_LIBRARY, and
then nowhere else; else beside libupsweep and on the loader's path. Both are loaded by the first call.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from . import _tables
from ._arrays import Operand, operand, plan, type_tag
from ._call import Array, check_pair, check_type, needs_order, options_of
from ._errors import check
from ._mpi import Mpi, handle_of, loaded
from ._parts import Parts, are_copied, elements, structures
from ._results import convert, layout

__all__ = ["Location", "Request", "allreduce", "allreduce_init", "device", "exscan", "iallreduce", "locate", "reduce", "scan"]

_COMMON = ("accuracy", "nan", "fold")  # options that are the same on all ranks


class Location(NamedTuple):
    """Where an element of a global index is."""

    rank: int  #: its rank; -1: there is none
    index: int  #: its index among that rank's elements; -1: there is none


def _tag_of(x: Any) -> str:
    """The type of an array that cannot be read here, as its dtype is called; "" if that is no type of the library."""
    x = x.arrays[0] if isinstance(x, Parts) else x
    name = str(getattr(x, "dtype", None) or getattr(x, "__cuda_array_interface__", {}).get("typestr")).rpartition(".")[2]
    try:
        return "bf16" if name == "bfloat16" else type_tag(np.dtype(name))
    except TypeError:
        return ""


class _Own:
    """This rank's part of a call. A rank that finds a mistake takes part with an element at no address: all fail, and none waits."""

    def __init__(self, function: str, arrays: Sequence[Array], options: dict[str, Any]):
        row = _tables.FUNCTIONS.get(function)
        if row is None:
            raise ValueError(f"{function!r} is no function of the library: {', '.join(_tables.FUNCTIONS)}")
        operation, streams, self.kind, _, _ = row
        if len(arrays) != streams:
            raise TypeError(f"{function} reads {streams} arrays, not {len(arrays)}")
        self.mistake: Optional[Exception] = None
        self.report = options.get("report")
        operands: list[Operand] = []
        try:
            operands = [self._look(x) for x in arrays]
            self.tag, self.dtype = operands[0].tag, operands[0].dtype
        except Exception as mistake:
            self.mistake, self.tag, self.dtype = mistake, _tag_of(arrays[0]), None
            if not self.tag:
                raise
        check_type(function, self.tag, self.dtype or self.tag)
        try:
            if self.mistake is not None:
                raise self.mistake
            if streams == 2:
                check_pair(*operands)
            inputs = self._plan(operands, needs_order(function))
            self.options = options_of(self.strides, **options)
        except Exception as mistake:
            self.mistake = mistake
            inputs = self._nothing(streams)
            self.options = options_of(self.strides, **{name: options[name] for name in _COMMON if name in options})
        self.result = np.empty((), layout(self.kind, self.tag))
        self.form = self._form(streams)
        self.arguments = [operation, _tables.TYPES[self.tag][0], *inputs, self.result.ctypes.data]

    _look = staticmethod(operand)

    @staticmethod
    def _form(streams: int) -> str:
        """How names of C's functions say what they take."""
        return "_pair" if streams == 2 else ""

    def _plan(self, operands: list[Operand], in_order: bool) -> list[Any]:
        """What C gets of the elements; sets their strides, and what keeps their memory."""
        planned = plan(operands, in_order)
        self.strides, self.plans = planned.strides, [planned]
        return [*(address or None for address in planned.addresses), planned.length]

    def _nothing(self, streams: int) -> list[Any]:
        """What C gets in place of them, which fails."""
        self.strides, self.plans = [1] * streams, []
        return [None] * streams + [1]

    def refuse_copies(self, arrays: Sequence[Array]) -> None:
        """A mistake where a request would read copies of its arrays."""
        if self.mistake is None and are_copied(self.plans, arrays):
            self.mistake = ValueError("a request reads its arrays again: pass NumPy arrays that are not copied")
            self.arguments[2:-1] = self._nothing(len(arrays))

    def value(self, status: int) -> Any:
        """The result of a call that has this status."""
        if self.mistake is not None and status:
            raise self.mistake
        check(status)
        if self.report is not None:
            self.report._fill()
        return convert(self.result, self.kind, self.tag, self.dtype)


class _OwnParts(_Own):
    """The same of elements in parts."""

    _look = staticmethod(elements)

    @staticmethod
    def _form(streams: int) -> str:
        return "_parts"

    def _plan(self, operands: list[Operand], in_order: bool) -> list[Any]:
        if not all(x.pieces for x in operands):
            raise ValueError("x and y must both be arrays, or Parts of as many arrays")
        structs, plans = structures(operands, in_order)
        self.strides, self.plans = [], plans
        return [structs, len(structs)]

    def _nothing(self, streams: int) -> list[Any]:
        self.strides, self.plans = [], []
        return [None, 1]


def _own(function: str, arrays: Sequence[Array], options: dict[str, Any]) -> _Own:
    are_parts = any(isinstance(x, Parts) for x in arrays)
    return (_OwnParts if are_parts else _Own)(function, arrays, options)


def allreduce(function: str, *arrays: Array, comm: Any = None, **options: Any) -> Any:
    """Reduce the elements of all ranks as if they were one array, in the order of the ranks.

    Parameters
    ----------
    function : str
        The name of a function of the library: "sum", "argmin", "describe". "dot" and "dotc" read two arrays.
    arrays : array
        This rank's elements, as of that function; also none of them, or Parts. Those of all ranks have one dtype.
    comm : mpi4py.MPI.Comm, optional
        The ranks. None: MPI.COMM_WORLD.
    options : optional
        place, device, strategy, accuracy, nan, teams, work_group_load, report, fold and devices, as of that function.

    Returns
    -------
    scalar, Located, Extremes or Describe
        As that function, the same on all ranks. Indices count over the ranks.

    Raises
    ------
    ImportError
        No mpi4py, or no libupsweep_mpi for its MPI library.
    Error, ValueError
        As that function, on all ranks; accuracy="exact" is refused. An unknown name or dtype on the ranks that have it.

    Notes
    -----
    One reduction, and one message of 40 to 250 bytes.

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> from mpi4py import MPI
    >>> print(upsweep.mpi.allreduce("max", numpy.array([3.0, 1.0]), comm=MPI.COMM_SELF))
    3.0
    """
    own, mpi = _own(function, arrays, options), loaded()
    call = getattr(mpi.library, f"usw_mpi_allreduce{own.form}")
    return own.value(call(*own.arguments, handle_of(mpi, comm), own.options))


def reduce(function: str, x: Array, *, root: int = 0, comm: Any = None, **options: Any) -> Any:
    """As allreduce(), whose result one rank wants.

    Parameters
    ----------
    function : str
        As for allreduce(), of one array.
    x : array
        This rank's elements, or Parts.
    root : int
        The rank that gets the result.
    comm : mpi4py.MPI.Comm, optional
        As for allreduce().
    options : optional
        As for allreduce().

    Returns
    -------
    scalar, Located, Extremes or Describe
        On the root as allreduce(); elsewhere None.

    Notes
    -----
    Costs are those of allreduce().

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> total = upsweep.mpi.reduce("sum", numpy.array([3.0, 1.0]), root=0)
    """
    own, mpi = _own(function, (x,), options), loaded()
    comm = mpi.mpi.COMM_WORLD if comm is None else comm
    call = getattr(mpi.library, f"usw_mpi_reduce{own.form}")
    found = own.value(call(*own.arguments, root, handle_of(mpi, comm), own.options))
    return found if comm.Get_rank() == root else None


def scan(function: str, x: Array, *, comm: Any = None, **options: Any) -> Any:
    """Reduce the elements of the ranks up to this one.

    Parameters
    ----------
    function : str
        As for allreduce(), of one array.
    x : array
        This rank's elements, or Parts.
    comm : mpi4py.MPI.Comm, optional
        As for allreduce().
    options : optional
        As for allreduce().

    Returns
    -------
    scalar, Located, Extremes or Describe
        As allreduce(), of ranks 0 to this one.

    Notes
    -----
    Two messages: ranks agree first that none has failed.

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> so_far = upsweep.mpi.scan("sum", numpy.array([3.0, 1.0]))
    """
    own, mpi = _own(function, (x,), options), loaded()
    call = getattr(mpi.library, f"usw_mpi_scan{own.form}")
    return own.value(call(*own.arguments, handle_of(mpi, comm), own.options))


def exscan(function: str, x: Array, *, comm: Any = None, **options: Any) -> Any:
    """Reduce the elements of the ranks before this one: initial of an exclusive upsweep.cumsum() over its part of an array of all.

    Parameters
    ----------
    function : str
        As for allreduce(), of one array.
    x : array
        This rank's elements, or Parts.
    comm : mpi4py.MPI.Comm, optional
        As for allreduce().
    options : optional
        As for allreduce().

    Returns
    -------
    scalar, Located, Extremes or Describe
        As scan(), without this rank's elements. Rank 0 gets the identity.

    Notes
    -----
    Costs are those of scan().

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> x = numpy.array([3.0, 1.0])
    >>> part = upsweep.cumsum(x, exclusive=True, initial=upsweep.mpi.exscan("sum", x))
    """
    own, mpi = _own(function, (x,), options), loaded()
    call = getattr(mpi.library, f"usw_mpi_exscan{own.form}")
    return own.value(call(*own.arguments, handle_of(mpi, comm), own.options))


_under_way: set[Request] = set()  # whose memory MPI may write


class Request:
    """A reduction that goes on while the rank does something else: of iallreduce() or allreduce_init().

    Its methods are collective, as MPI's are. One of allreduce_init() reads its arrays at each start(), where they were: keep them in place.
    Arrays that would be copied are refused.
    """

    def __init__(self, own: _Own, mpi: Mpi, call: Any, comm: Any, can_start: bool):
        self._own, self._mpi, self._can_start = own, mpi, can_start
        self._request = ctypes.c_void_p()
        status = call(*own.arguments, handle_of(mpi, comm), own.options, ctypes.byref(self._request))
        if status:
            own.value(status)
        if not can_start:
            _under_way.add(self)

    def start(self) -> None:
        """Once more, with the elements as they are now."""
        check(self._mpi.library.usw_mpi_start(ctypes.byref(self._request)))
        _under_way.add(self)

    def test(self) -> bool:
        """Whether wait() would return at once."""
        is_done = ctypes.c_int()
        check(self._mpi.library.usw_mpi_test(ctypes.byref(self._request), ctypes.byref(is_done)))
        return bool(is_done.value)

    def wait(self) -> Any:
        """The result, as allreduce() returns it."""
        status = self._mpi.library.usw_mpi_wait(ctypes.byref(self._request))
        _under_way.discard(self)
        return self._own.value(status)

    def free(self) -> None:
        """Give back what a request of allreduce_init() holds; one that is under way is waited for."""
        if self._request and not self._mpi.mpi.Is_finalized():
            self._mpi.library.usw_mpi_request_free(ctypes.byref(self._request))
        _under_way.discard(self)

    def __del__(self) -> None:
        if getattr(self, "_can_start", False):
            self.free()


def iallreduce(function: str, *arrays: Array, comm: Any = None, **options: Any) -> Request:
    """Start allreduce(): this rank's elements are reduced when it returns, and the message is under way.

    Parameters
    ----------
    function : str
        As for allreduce().
    arrays : array
        As for allreduce().
    comm : mpi4py.MPI.Comm, optional
        As for allreduce().
    options : optional
        As for allreduce().

    Returns
    -------
    Request
        Whose wait() gives the result.

    Notes
    -----
    That a rank has failed is told by wait().

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> request = upsweep.mpi.iallreduce("sum", numpy.array([3.0, 1.0]))
    >>> total = request.wait()
    """
    own, mpi = _own(function, arrays, options), loaded()
    return Request(own, mpi, getattr(mpi.library, f"usw_mpi_iallreduce{own.form}"), comm, False)


def allreduce_init(function: str, *arrays: Array, comm: Any = None, **options: Any) -> Request:
    """Make a request that its start() starts, any number of times.

    Parameters
    ----------
    function : str
        As for allreduce().
    arrays : array
        As for allreduce(), but no lists and no strides for which NumPy arrays would be copied.
    comm : mpi4py.MPI.Comm, optional
        As for allreduce().
    options : optional
        As for allreduce().

    Returns
    -------
    Request
        Not under way yet.

    Notes
    -----
    MPI 4's persistent form where the MPI library has it.

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> x = numpy.array([3.0, 1.0])
    >>> request = upsweep.mpi.allreduce_init("sum", x)
    >>> for step in range(3):
    ...     x += 1
    ...     request.start()
    ...     total = request.wait()
    """
    own, mpi = _own(function, arrays, options), loaded()
    own.refuse_copies(arrays)
    return Request(own, mpi, getattr(mpi.library, f"usw_mpi_allreduce{own.form}_init"), comm, True)


def device(comm: Any = None) -> int | None:
    """The GPU that this rank should take: near to its cores, and shared by as few ranks as can be.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the GPUs. None: MPI.COMM_WORLD.

    Returns
    -------
    int or None
        The OpenMP device number, for device= of functions; None if the node has no GPU that the library can use.

    Notes
    -----
    Call it once: it splits the communicator by nodes.

    Examples
    --------
    >>> import upsweep.mpi
    >>> number = upsweep.mpi.device()
    """
    mpi, found = loaded(), ctypes.c_int()
    check(mpi.library.usw_mpi_device(handle_of(mpi, comm), ctypes.byref(found)))
    return found.value if found.value >= 0 else None


def locate(n: int, index: int, comm: Any = None) -> Location:
    """Which rank has the element of a global index, and where.

    Parameters
    ----------
    n : int
        How many elements this rank has.
    index : int
        As argmin, argmax and describe give it, the same on all ranks.
    comm : mpi4py.MPI.Comm, optional
        As for allreduce().

    Returns
    -------
    Location
        (rank, index); (-1, -1) for the index -1.

    Notes
    -----
    Two messages.

    Examples
    --------
    >>> import numpy, upsweep.mpi
    >>> x = numpy.array([3.0, 1.0])
    >>> rank, index = upsweep.mpi.locate(len(x), upsweep.mpi.allreduce("argmin", x))
    """
    mpi, rank, local = loaded(), ctypes.c_int(), ctypes.c_int64()
    check(mpi.library.usw_mpi_locate(n, int(index), ctypes.byref(rank), ctypes.byref(local), handle_of(mpi, comm)))
    return Location(rank.value, local.value)
