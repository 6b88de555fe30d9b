// Syntax colours for code: strings, numbers, keywords, comments. It is a reading aid, not a parser: unknown text stays
// plain, and every character is escaped.

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

// Group names are the CSS classes: s string, n number, k keyword, c comment, p property name or option.
const RULES: Readonly<Record<string, RegExp>> = {
  json: /(?<p>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<s>"(?:[^"\\]|\\.)*")|(?<n>-?\b\d[\d.]*\b)|(?<k>\b(?:true|false|null)\b)/g,
  ts: /(?<c>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<s>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<k>\b(?:import|export|from|const|let|function|return|await|async|for|of|if|else|new|throw|try|catch|type|break|default|true|false|null|undefined)\b)|(?<n>\b\d[\d_.]*\b)/g,
  sh: /(?<c>(?:^|(?<=\s))#[^\n]*)|(?<s>'[^']*'|"(?:[^"\\]|\\.)*")|(?<k>(?<=^|\n)(?:curl|recaudo|npx|npm|node|export|git|docker)\b)|(?<p>(?<=\s)--?[a-zA-Z][\w-]*)/g,
}
