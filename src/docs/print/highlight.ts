// Colours for code: strings, numbers, words of the language, comments. The one thing to know: it is a reading aid and no
// parser, so what it does not know stays plain, and every character comes out escaped.

import { escapeHtml, type Html, trustedHtml } from '../../core/html.ts'

export function highlight(text: string, language: string): Html {
  const rules = RULES[ALIASES[language] ?? language]
  if (rules === undefined) return trustedHtml(escapeHtml(text))
  let out = ''
  let last = 0
  for (const match of text.matchAll(rules)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? ['']
    out += `${escapeHtml(text.slice(last, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    last = match.index + match[0].length
  }
  return trustedHtml(out + escapeHtml(text.slice(last)))
}

const ALIASES: Readonly<Record<string, string>> = {
  js: 'ts',
  mjs: 'ts',
  javascript: 'ts',
  typescript: 'ts',
  tsx: 'ts',
  jsx: 'ts',
  bash: 'sh',
  shell: 'sh',
  console: 'sh',
  http: 'sh',
}

// The names of groups are the classes: s string, n number, k word of the language, c comment, p name of a property.
const RULES: Readonly<Record<string, RegExp>> = {
  json: /(?<p>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<s>"(?:[^"\\]|\\.)*")|(?<n>-?\b\d[\d.]*\b)|(?<k>\b(?:true|false|null)\b)/g,
  ts: /(?<c>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<s>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<k>\b(?:import|export|from|const|let|function|return|await|async|for|of|if|else|new|throw|try|catch|type|break|default|true|false|null|undefined)\b)|(?<n>\b\d[\d_.]*\b)/g,
  sh: /(?<c>(?:^|(?<=\s))#[^\n]*)|(?<s>'[^']*'|"(?:[^"\\]|\\.)*")|(?<k>(?<=^|\n)(?:curl|recaudo|npx|npm|node|export|git|docker)\b)|(?<p>(?<=\s)--?[a-zA-Z][\w-]*)/g,
}
