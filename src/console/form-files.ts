// Reads a form that carries files. Each file becomes a data URI under the name of its field, so that the rest of the form is like
// every other, and the operation says what is wrong with it.

export async function typedWithFiles(
  contentType: string | undefined,
  bytes: Buffer,
): Promise<URLSearchParams | undefined> {
  const form = await read(contentType ?? '', bytes)
  if (form === undefined) return undefined
  const typed = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value === 'string') typed.append(name, value)
    // Without a choice browsers send a file without a name and without bytes.
    else if (value.size > 0) {
      typed.append(name, await dataUri(value))
      // What the person calls it stands beside it: `/file` and `/fileName`.
      typed.append(`${name}Name`, value.name.slice(-MAX_NAME_LENGTH))
    }
  }
  return typed
}

// Undefined if it cannot be read.
async function read(contentType: string, bytes: Buffer): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return undefined
  }
}

// More than any operation takes. What is longer is cut, and refused because it is too long.
const MAX_FILE_BYTES = 4 * 1_024 * 1_024 + 1
const MAX_NAME_LENGTH = 120

// What browsers say of a file whose kind they do not know.
const UNKNOWN_TYPES: readonly string[] = ['', 'application/octet-stream']

// Some systems do not know what an SVG is.
async function dataUri(file: File): Promise<string> {
  const isUnknownSvg = UNKNOWN_TYPES.includes(file.type) && /\.svg$/i.test(file.name)
  const type = isUnknownSvg ? 'image/svg+xml' : file.type
  const bytes = await file.slice(0, MAX_FILE_BYTES).arrayBuffer()
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}
