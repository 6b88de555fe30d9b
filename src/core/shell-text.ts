// Quotes text for the shell: bare if that is safe, else in single quotes, where no character is special.

export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
