// Text as a word of the shell: bare where that is safe, else in single quotes, in which nothing has a meaning.

export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
