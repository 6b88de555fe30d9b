// How a command's result is printed.

// Prints one object as lines of name and value, and an array as a table.
export function print(result: unknown, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else if (Array.isArray(result)) process.stdout.write(`${table(result as Record<string, unknown>[])}\n`)
  else
    process.stdout.write(
      `${columns(Object.entries(result as object).map(([key, value]) => [key, cellText(value)]))}\n`,
    )
}

function table(rows: Record<string, unknown>[]): string {
  const [first] = rows
  if (first === undefined) return 'none'
  return columns([Object.keys(first).map(inWords), ...rows.map((row) => Object.values(row).map(cellText))])
}

// openFindings: open findings.
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return value === null ? '–' : String(value)
}

export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
