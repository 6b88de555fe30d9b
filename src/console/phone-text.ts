// Phone numbers as people type them: with blanks, dashes and brackets, and Colombian ones without their country.

export function typedPhone(text: string): string {
  const digits = text.replaceAll(/[\s().-]/g, '')
  if (/^3\d{9}$/.test(digits) || /^60\d{8}$/.test(digits)) return `+57${digits}`
  return /^57(3\d{9}|60\d{8})$/.test(digits) ? `+${digits}` : digits
}

// What was typed, with a number in one of its fields made readable for the operation.
export function withPhone(typed: URLSearchParams, path: string): URLSearchParams {
  const number = typed.get(path)
  if (number === null || number.trim() === '') return typed
  const read = new URLSearchParams(typed)
  read.set(path, typedPhone(number))
  return read
}
