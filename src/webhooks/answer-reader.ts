// Reads answers from a connection, one after the other, strictly by HTTP/1.1: anything ambiguous is refused. Only the head
// and single lines are buffered until they are complete, and both have a limit.

import { SendFailure } from './failure.ts'

export type AnswerHead = {
  readonly status: number
  // Null if the answer does not say: it comes in chunks, or ends with the connection.
  readonly length: number | null
  readonly retryAfter: string | undefined
  // How long the other side keeps the connection open for another request; 0 if it closes it.
  readonly keepMs: number
}

export type AnswerListener = {
  readonly onHead: (head: AnswerHead) => void
  readonly onBody: (bytes: Buffer) => void
}

export type AnswerReader = {
  readonly begin: (listener: AnswerListener) => void
  // Reads the bytes that arrived. True when the answer is complete; throws a SendFailure if it is not a valid answer.
  readonly take: (bytes: Buffer) => boolean
  // The other side has ended the connection. True if that also ends the answer.
  readonly end: () => boolean
  // For how long another answer can follow on this connection; 0 if none can.
  readonly keepMs: () => number
}

type ReaderState =
  | 'head'
  | 'sized'
  | 'chunk size'
  | 'chunk'
  | 'chunk end'
  | 'trailers'
  | 'until the end'
  | 'whole'

type Head = AnswerHead & { readonly bodyState: ReaderState }

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// No space anywhere, and nothing in an extension but words and quoted text.
const CHUNK_SIZE =
  /^([0-9a-f]{1,8})(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"[\t !#-[\]-~]*"))?)*$/i
const BROKEN_LINE = /[^\r]\n/
// Includes a lone CR or LF.
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/
// These say how an answer is read. After it they come too late, and a reader that follows them anyway reads on elsewhere.
const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding'])
const MAX_CHUNK_LINE = 256
// How long a connection is kept if the other side does not say.
const DEFAULT_KEEP_MS = 4_000
const MAX_KEEP_MS = 30_000
// The other side counts from when it sent its answer, and its close takes a moment to reach us.
const KEEP_MARGIN_MS = 1_000

export function createAnswerReader(headerBytes: number): AnswerReader {
  let listener: AnswerListener
  let state: ReaderState = 'whole'
  let text = ''
  let bytesLeft = 0
  let headBytesRead = 0
  let keepMs = 0

  const begin = (next: AnswerListener): void => {
    listener = next
    state = 'head'
    text = ''
    headBytesRead = 0
  }

  // A receiver sends the same head nearly every time, so the last one is cached.
  let lastText = ''
  let lastHead: Head | undefined
  const headOf = (headText: string): Head => {
    if (lastHead === undefined || headText !== lastText) {
      lastHead = readHead(headText)
      lastText = headText
    }
    return lastHead
  }

  // Returns how many of the bytes belonged to the head.
  const readHeadBytes = (bytes: Buffer): number => {
    let scanned = text.length
    text += bytes.toString('latin1')
    for (;;) {
      if (!text.startsWith('HTTP/1.') && !'HTTP/1.'.startsWith(text)) throw invalid()
      const headEnd = text.indexOf('\r\n\r\n', Math.max(0, scanned - 3))
      if (headBytesRead + (headEnd === -1 ? text.length : headEnd) > headerBytes)
        throw new SendFailure('RESPONSE_TOO_LARGE')
      if (headEnd === -1) {
        if (BROKEN_LINE.test(text.slice(Math.max(0, scanned - 1)))) throw invalid()
        return bytes.length
      }
      const head = headOf(text.slice(0, headEnd))
      text = text.slice(headEnd + 4)
      scanned = 0
      headBytesRead += headEnd + 4
      // A 1xx comes before the answer. But 101 is an error, because we do not ask to switch protocols.
      if (head.status === 101) throw new SendFailure('CONNECTION')
      if (head.status >= 200) {
        const rest = text.length
        text = ''
        state = head.bodyState
        bytesLeft = head.length ?? 0
        keepMs = head.keepMs
        listener.onHead(head)
        return bytes.length - rest
      }
    }
  }

  const readBodyBytes = (bytes: Buffer): number => {
    const part = bytes.length <= bytesLeft ? bytes : bytes.subarray(0, bytesLeft)
    bytesLeft -= part.length
    if (bytesLeft === 0) state = state === 'chunk' ? 'chunk end' : 'whole'
    if (part.length > 0) listener.onBody(part)
    return part.length
  }

  // Reads the lines between and after the chunks.
  const readLineBytes = (bytes: Buffer): number => {
    const lineFeed = bytes.indexOf(0x0a)
    const taken = lineFeed === -1 ? bytes.length : lineFeed + 1
    text += bytes.toString('latin1', 0, taken)
    headBytesRead += state === 'trailers' ? taken : 0
    if (text.length > (state === 'trailers' ? headerBytes : MAX_CHUNK_LINE)) throw invalid()
    if (headBytesRead > headerBytes) throw new SendFailure('RESPONSE_TOO_LARGE')
    if (lineFeed === -1) return taken
    if (!text.endsWith('\r\n')) throw invalid()
    const line = text.slice(0, -2)
    text = ''
    if (state === 'chunk size') {
      const size = CHUNK_SIZE.exec(line)?.[1]
      if (size === undefined) throw invalid()
      bytesLeft = Number.parseInt(size, 16)
      state = bytesLeft === 0 ? 'trailers' : 'chunk'
    } else if (state === 'chunk end') {
      if (line !== '') throw invalid()
      state = 'chunk size'
    } else if (line === '') state = 'whole'
    else if (FRAMING_FIELDS.has(readField(line).name)) throw invalid()
    return taken
  }

  const readBytes = (bytes: Buffer): number => {
    if (state === 'head') return readHeadBytes(bytes)
    if (state === 'sized' || state === 'chunk') return readBodyBytes(bytes)
    if (state !== 'until the end') return readLineBytes(bytes)
    listener.onBody(bytes)
    return bytes.length
  }

  return {
    begin,
    take: (bytes) => {
      let rest = bytes
      while (rest.length > 0 && state !== 'whole') rest = rest.subarray(readBytes(rest))
      // Extra bytes would be taken for the answer to the next request, so the connection is not reused.
      if (rest.length > 0) keepMs = 0
      return state === 'whole'
    },
    end: () => {
      keepMs = 0
      return state === 'until the end' || state === 'whole'
    },
    keepMs: () => keepMs,
  }
}

function readHead(text: string): Head {
  const lines = text.split('\r\n')
  const [, minor, status = ''] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  if (minor === undefined || CONTROL.test(lines[0] ?? '')) throw invalid()
  let length: string | undefined
  let encoding: string | undefined
  let connection = ''
  let keepAlive: string | undefined
  let retryAfter: string | undefined
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] as string
    const { name, value } = readField(line)
    switch (name) {
      case 'content-length':
        // Said twice, even alike, it is refused: so does Node's parser.
        if (length !== undefined || !/^\d{1,15}$/.test(value)) throw invalid()
        length = value
        break
      case 'transfer-encoding':
        // With a tab behind it, Node's parser does not know the word.
        if (encoding !== undefined || value.toLowerCase() !== 'chunked' || line.includes('\t'))
          throw invalid()
        encoding = value
        break
      case 'connection':
      // Never a standard, but some follow it.
      case 'proxy-connection':
        connection += `,${value.toLowerCase()}`
        break
      case 'keep-alive':
        keepAlive = value
        break
      case 'retry-after':
        retryAfter = value
        break
    }
  }
  if (encoding !== undefined && length !== undefined) throw invalid()
  const code = Number(status)
  const closes = minor === '0' || (connection !== '' && /,\s*close\s*(,|$)/.test(connection))
  // Nothing can follow on a connection that is closed, and after a 1xx the answer must.
  if (closes && code < 200) throw invalid()
  const hasNoBody = code < 200 || code === 204 || code === 304
  const bodyState =
    hasNoBody || length === '0'
      ? 'whole'
      : encoding !== undefined
        ? 'chunk size'
        : length !== undefined
          ? 'sized'
          : 'until the end'
  return {
    status: code,
    length: length === undefined ? null : Number(length),
    retryAfter,
    bodyState,
    keepMs: closes || bodyState === 'until the end' ? 0 : keepAliveMs(keepAlive),
  }
}

// No space before the colon and no folded lines, because parsers disagree about both.
function readField(line: string): { name: string; value: string } {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon))
  if (!FIELD_NAME.test(name) || CONTROL.test(line)) throw invalid()
  let from = colon + 1
  let to = line.length
  while (from < to && isSpace(line.charCodeAt(from))) from += 1
  while (from < to && isSpace(line.charCodeAt(to - 1))) to -= 1
  return { name: name.toLowerCase(), value: line.slice(from, to) }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09

function keepAliveMs(keepAlive: string | undefined): number {
  const timeoutSeconds = /(?:^|[\s,])timeout=(\d{1,6})(?:[\s,]|$)/i.exec(keepAlive ?? '')?.[1]
  if (timeoutSeconds === undefined) return DEFAULT_KEEP_MS
  return Math.min(Math.max(0, Number(timeoutSeconds) * 1_000 - KEEP_MARGIN_MS), MAX_KEEP_MS)
}

const invalid = (): SendFailure => new SendFailure('INVALID_RESPONSE')
