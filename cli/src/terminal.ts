// Output to the terminal. Results go to standard output and everything else to standard error. Colours are used only in a
// terminal, and text from the network cannot control the terminal.

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export const dim = painter(2, 22)
export const bold = painter(1, 22)
export const red = painter(31, 39)
export const green = painter(32, 39)
export const yellow = painter(33, 39)

export function isColoured(stream: { isTTY?: boolean } = process.stdout): boolean {
  const { NO_COLOR = '', TERM } = process.env
  return stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb'
}

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

// Control characters could move the cursor or change the title.
export function clean(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD')
}

function painter(on: number, off: number): (text: string) => string {
  return (text) => (isColoured() ? `\x1b[${on}m${text}\x1b[${off}m` : text)
}
