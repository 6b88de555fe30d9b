// recaudo completion: prints a shell script generated from the command table, so that it matches this version.

import type { Call, Command, CommandTable, Shown } from './command.ts'
import { usageFailure } from './failure.ts'

export async function completion({ argument }: Call, commands: CommandTable): Promise<Shown> {
  if (argument !== 'bash' && argument !== 'zsh')
    throw usageFailure(`There is completion for bash and zsh, not for ${JSON.stringify(argument)}.`)
  const script = argument === 'bash' ? bashScript(commands) : zshScript(commands)
  return { json: { shell: argument, script }, text: () => script }
}

function firstWordsOf(commands: CommandTable): string[] {
  return [...new Set(Object.keys(commands).map((name) => name.split(' ')[0] as string))]
}

// First words that need a second one to make a command.
function familiesOf(commands: CommandTable): string[] {
  return firstWordsOf(commands).filter((word) => !Object.hasOwn(commands, word))
}

function secondWordsOf(commands: CommandTable, family: string): string[] {
  return Object.keys(commands).flatMap((name) =>
    name.startsWith(`${family} `) ? [name.slice(family.length + 1)] : [],
  )
}

function flagsOf({ flags }: Command): string[] {
  return [...Object.keys(flags), 'json', 'help'].map((flag) => `--${flag}`)
}

// The words that may follow a command, or one of its flags, as branches of a shell `case`.
function caseBranches(
  commands: CommandTable,
  branch: (pattern: string, words: readonly string[]) => string,
): string {
  return Object.entries(commands)
    .flatMap(([name, command]) => [
      ...Object.entries(command.flags).flatMap(([flag, { value, values }]) =>
        value === undefined ? [] : [branch(`'${name} --${flag}'`, values ?? [])],
      ),
      branch(`'${name} '*`, [...(command.argument?.values ?? []), ...flagsOf(command)]),
    ])
    .join('\n')
}

// Bash splits words at colons, so the part before the colon is removed from each suggestion.
function bashScript(commands: CommandTable): string {
  const firstWords = firstWordsOf(commands)
  const families = familiesOf(commands)
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
${families.map((family) => `      ${family}) words='${secondWordsOf(commands, family).join(' ')} --help' ;;`).join('\n')}
    esac
    [[ -z $words ]] && case "$name $previous" in
${caseBranches(commands, (pattern, words) => `      ${pattern}) words='${words.join(' ')}' ;;`)}
    esac
  fi
  [[ $token == *:* && $COMP_WORDBREAKS == *:* ]] && cut="\${token%"\${token##*:}"}"
  local word
  while IFS= read -r word; do COMPREPLY+=("\${word#"$cut"}"); done < <(compgen -W "$words" -- "$token")
}
complete -o default -F _recaudo recaudo`
}

function zshScript(commands: CommandTable): string {
  const firstWords = firstWordsOf(commands)
  const families = familiesOf(commands)
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([word, help]) => `'${word}:${help.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`).join(' ')
  const family = (word: string): [string, string][] =>
    secondWordsOf(commands, word).map((second) => [second, commands[`${word} ${second}`]?.help ?? ''])
  const helpOf = (word: string): string => commands[word]?.help ?? secondWordsOf(commands, word).join(', ')
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
${caseBranches(commands, (pattern, words) => (words.length === 0 ? `    ${pattern}) _files ;;` : `    ${pattern}) compadd -- ${words.map((word) => `'${word}'`).join(' ')} ;;`))}
  esac
}
if [[ "\${funcstack[1]}" == _recaudo ]]; then _recaudo "$@"; else compdef _recaudo recaudo; fi`
}
