// recaudo completion: a script for the shell, printed from the command table, so that it knows what this version knows.

import type { Call, Command, Shown } from './command.ts'
import { COMMANDS } from './command-table.ts'
import { usageFailure } from './failure.ts'

export async function completion({ argument }: Call): Promise<Shown> {
  if (argument !== 'bash' && argument !== 'zsh')
    throw usageFailure(`There is completion for bash and zsh, not for ${JSON.stringify(argument)}.`)
  const script = argument === 'bash' ? bashScript() : zshScript()
  return { json: { shell: argument, script }, text: () => script }
}

const entries = Object.entries(COMMANDS)
const firstWords = [...new Set(entries.map(([name]) => name.split(' ')[0] as string))]
const families = firstWords.filter((word) => !Object.hasOwn(COMMANDS, word))

function secondWords(family: string): string[] {
  return entries.flatMap(([name]) => (name.startsWith(`${family} `) ? [name.slice(family.length + 1)] : []))
}

function flagsOf({ flags }: Command): string[] {
  return [...Object.keys(flags), 'json', 'help'].map((flag) => `--${flag}`)
}

// What may stand after the command, or after one of its flags, as arms of a case.
function arms(arm: (pattern: string, words: readonly string[]) => string): string {
  return entries
    .flatMap(([name, command]) => [
      ...Object.entries(command.flags).flatMap(([flag, { value, values }]) =>
        value === undefined ? [] : [arm(`'${name} --${flag}'`, values ?? [])],
      ),
      arm(`'${name} '*`, [...(command.argument?.values ?? []), ...flagsOf(command)]),
    ])
    .join('\n')
}

// A colon parts words for bash: what stands before it is cut off what is offered.
function bashScript(): string {
  return `# bash completion for recaudo: eval "$(recaudo completion bash)"
_recaudo() {
  local name="\${COMP_WORDS[1]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" token="\${COMP_LINE:0:COMP_POINT}" words='' cut=''
  token="\${token##*[[:space:]]}"
  COMPREPLY=()
  case " ${families.join(' ')} " in *" $name "*) ((COMP_CWORD > 2)) && name="$name \${COMP_WORDS[2]}" ;; esac
  if ((COMP_CWORD == 1)); then
    words='${[...firstWords, '--help', '--version'].join(' ')}'
  else
    case "$name" in
${families.map((family) => `      ${family}) words='${secondWords(family).join(' ')} --help' ;;`).join('\n')}
    esac
    [[ -z $words ]] && case "$name $previous" in
${arms((pattern, words) => `      ${pattern}) words='${words.join(' ')}' ;;`)}
    esac
  fi
  [[ $token == *:* && $COMP_WORDBREAKS == *:* ]] && cut="\${token%"\${token##*:}"}"
  local word
  while IFS= read -r word; do COMPREPLY+=("\${word#"$cut"}"); done < <(compgen -W "$words" -- "$token")
}
complete -o default -F _recaudo recaudo`
}

function zshScript(): string {
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([word, help]) => `'${word}:${help.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`).join(' ')
  const family = (word: string): [string, string][] =>
    secondWords(word).map((second) => [second, COMMANDS[`${word} ${second}`]?.help ?? ''])
  const helpOf = (word: string): string => COMMANDS[word]?.help ?? secondWords(word).join(', ')
  return `#compdef recaudo
# zsh completion for recaudo: recaudo completion zsh > "\${fpath[1]}/_recaudo"
_recaudo() {
  local name="\${words[2]}" previous="\${words[CURRENT-1]}"
  local -a offered
  if ((CURRENT == 2)); then
    offered=(${described(firstWords.map((word) => [word, helpOf(word)]))})
    _describe -t commands command offered
    return
  fi
  case " ${families.join(' ')} " in *" $name "*) ((CURRENT > 3)) && name="$name \${words[3]}" ;; esac
  case "$name" in
${families.map((word) => `    ${word}) offered=(${described(family(word))}); _describe -t commands command offered; return ;;`).join('\n')}
  esac
  case "$name $previous" in
${arms((pattern, words) => (words.length === 0 ? `    ${pattern}) _files ;;` : `    ${pattern}) compadd -- ${words.map((word) => `'${word}'`).join(' ')} ;;`))}
  esac
}
if [[ "\${funcstack[1]}" == _recaudo ]]; then _recaudo "$@"; else compdef _recaudo recaudo; fi`
}
