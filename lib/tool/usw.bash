# Completion of usw for bash. Commands, options and words come from here; tests/tool/manual.py compares
# them with the program's.
_usw() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words="" prefix=""
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "reduce info explain bench report selfcheck tune help --version --help" -- "$current"))
    return
  fi
  # "--op=sum,m" reaches us as "--op" "=" "sum,m".
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$previous" in
    --op | -o)
      words="sum prod min max minmax argmin argmax mean var std describe count all any norm1 norm2 norm_inf bit_and
        bit_or bit_xor"
      [ "$command" = explain ] && words="$words dot dotc"
      case "$current" in *,*) prefix=${current%,*}, ;; esac
      ;;
    --type | -t) words="i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 cf32 cf64 b8" ;;
    --place | -p) words="host gpu device" ;;
    --strategy) words="auto host tree host_finish clause tree_atomic atomic multipass" ;;
    --accuracy) words="repeatable fast compensated reproducible exact" ;;
    --nan) words="propagate ignore" ;;
    --format | -f) words="text json csv" ;;
    --progress) words="auto on off" ;;
    --input) words="raw npy npz hdf5" ;;
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "${current#"$prefix"}"))
    return
  fi
  case "$command" in
    reduce) words="--op= --type= --shape= --offset= --member= --dataset= --input= --place= --strategy=
      --work-group-load= --accuracy= --fold= --nan= --recheck= --buffer= --format= --progress= --help --usage" ;;
    info) words="--json --topology --environment --help --usage" ;;
    explain) words="--n= --op= --type= --place= --strategy= --work-group-load= --accuracy= --fold= --nan= --recheck=
      --staging --format= --help --usage" ;;
    bench) words="ladder staging --compare --behind --json --limit --suite --place --kernels --types --apps --n
      --strategies --accuracies --wide --teams --sweep --repetitions --peers --against --rounds --kernel-times --list --help --usage" ;;
    report) words="--no-plots --help" ;;
    selfcheck) words="--place --functions --types --strategies --quick --long --verbose --json --compiler --flags --levels
      --offload --only --limit --help --usage" ;;
    tune) words="--place --minutes --output --help --usage" ;;
    help) words="reduce info explain" ;;
  esac
  case "$current" in
    -* | "") COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
  case "${COMPREPLY[0]-}" in
    *=) compopt -o nospace ;;
  esac
  if [[ "$command" = reduce || "$command" = report ]] && [ "${current#-}" = "$current" ]; then
    compopt -o filenames
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _usw usw
