// Reads answers off a connection, one after the other, as strictly as HTTP/1.1 is written: whatever can be read in two ways is
// not read at all. Nothing is kept but the beginning of an answer until it is whole, and that has a limit.

import { SendFailure } from './failure.ts'

export type AnswerHead = {
  readonly status: number
  // Null where the answer does not say: it comes in chunks, or ends with the connection.
  readonly length: number | null
  readonly retryAfter: string | undefined
  // How long the far side keeps the connection open for another request; none where it closes it.
  readonly keepMs: number
}

export type AnswerListener = {
  readonly onHead: (head: AnswerHead) => void
  readonly onBody: (bytes: Buffer) => void
}

export type AnswerReader = {
  readonly begin: (listener: AnswerListener) => void
  // Takes what has come. True when the answer is whole; throws a SendFailure where it is none.
  readonly take: (bytes: Buffer) => boolean
  // The far side has ended the connection. True where that ends the answer as well.
  readonly end: () => boolean
  // Whether another answer can follow on this connection, and for how long.
  readonly keepMs: () => number
}

type Stage = 'head' | 'sized' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'until the end' | 'whole'

type Head = AnswerHead & { readonly stage: Stage }

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i
const BROKEN_LINE = /[^\r]\n/
// Half of the end of a line among them.
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/
const MAX_CHUNK_LINE = 256
// What is kept open where the far side does not say for how long.
const KEPT_UNSAID_MS = 4_000
const MAX_KEPT_MS = 30_000
// The far side counts from when it sent its answer, and its closing takes a moment to reach us.
const KEPT_MARGIN_MS = 1_000

export function createAnswerReader(headerBytes: number): AnswerReader {
  let listener: AnswerListener
  let stage: Stage = 'whole'
  let text = ''
  let left = 0
  let headRead = 0
  let keepMs = 0

  const begin = (next: AnswerListener): void => {
    listener = next
    stage = 'head'
    text = ''
    headRead = 0
  }

  // A receiver says the same nearly every time.
  let lastText = ''
  let lastHead: Head | undefined
  const headOf = (headText: string): Head => {
    if (lastHead === undefined || headText !== lastText) {
      lastHead = readHead(headText)
      lastText = headText
    }
    return lastHead
  }

  // Answers how many of the bytes belonged to it.
  const takeHead = (bytes: Buffer): number => {
    let known = text.length
    text += bytes.toString('latin1')
    for (;;) {
      if (!text.startsWith('HTTP/1.') && !'HTTP/1.'.startsWith(text)) throw invalid()
      const ends = text.indexOf('\r\n\r\n', Math.max(0, known - 3))
      if (headRead + (ends === -1 ? text.length : ends) > headerBytes)
        throw new SendFailure('RESPONSE_TOO_LARGE')
      if (ends === -1) {
        if (BROKEN_LINE.test(text.slice(Math.max(0, known - 1)))) throw invalid()
        return bytes.length
      }
      const head = headOf(text.slice(0, ends))
      text = text.slice(ends + 4)
      known = 0
      headRead += ends + 4
      // 1xx announces, and the answer follows; but we have asked for no other protocol.
      if (head.status === 101) throw new SendFailure('CONNECTION')
      if (head.status >= 200) {
        const rest = text.length
        text = ''
        stage = head.stage
        left = head.length ?? 0
        keepMs = head.keepMs
        listener.onHead(head)
        return bytes.length - rest
      }
    }
  }

  const takeSized = (bytes: Buffer): number => {
    const part = bytes.length <= left ? bytes : bytes.subarray(0, left)
    left -= part.length
    if (left === 0) stage = stage === 'chunk' ? 'chunk end' : 'whole'
    if (part.length > 0) listener.onBody(part)
    return part.length
  }

  // The lines between the chunks, and after them.
  const takeLine = (bytes: Buffer): number => {
    const lineFeed = bytes.indexOf(0x0a)
    const taken = lineFeed === -1 ? bytes.length : lineFeed + 1
    text += bytes.toString('latin1', 0, taken)
    headRead += stage === 'trailers' ? taken : 0
    if (text.length > (stage === 'trailers' ? headerBytes : MAX_CHUNK_LINE)) throw invalid()
    if (headRead > headerBytes) throw new SendFailure('RESPONSE_TOO_LARGE')
    if (lineFeed === -1) return taken
    if (!text.endsWith('\r\n')) throw invalid()
    const line = text.slice(0, -2)
    text = ''
    if (stage === 'chunk size') {
      const size = CHUNK_SIZE.exec(line)?.[1]
      if (size === undefined) throw invalid()
      left = Number.parseInt(size, 16)
      stage = left === 0 ? 'trailers' : 'chunk'
    } else if (stage === 'chunk end') {
      if (line !== '') throw invalid()
      stage = 'chunk size'
    } else if (line === '') stage = 'whole'
    else readField(line)
    return taken
  }

  const takeSome = (bytes: Buffer): number => {
    if (stage === 'head') return takeHead(bytes)
    if (stage === 'sized' || stage === 'chunk') return takeSized(bytes)
    if (stage !== 'until the end') return takeLine(bytes)
    listener.onBody(bytes)
    return bytes.length
  }

  return {
    begin,
    take: (bytes) => {
      let rest = bytes
      while (rest.length > 0 && stage !== 'whole') rest = rest.subarray(takeSome(rest))
      // Nobody asked for more: what follows would be taken for the answer to the next request.
      if (rest.length > 0) keepMs = 0
      return stage === 'whole'
    },
    end: () => {
      keepMs = 0
      return stage === 'until the end' || stage === 'whole'
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
    const { name, value } = readField(lines[index] as string)
    switch (name) {
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || (length ?? value) !== value) throw invalid()
        length = value
        break
      case 'transfer-encoding':
        if (encoding !== undefined || value.toLowerCase() !== 'chunked') throw invalid()
        encoding = value
        break
      case 'connection':
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
  const hasNoBody = code < 200 || code === 204 || code === 304
  const stage =
    hasNoBody || length === '0'
      ? 'whole'
      : encoding !== undefined
        ? 'chunk size'
        : length !== undefined
          ? 'sized'
          : 'until the end'
  const closes = minor === '0' || (connection !== '' && /,\s*close\s*(,|$)/.test(connection))
  return {
    status: code,
    length: length === undefined ? null : Number(length),
    retryAfter,
    stage,
    keepMs: closes || stage === 'until the end' ? 0 : keptFor(keepAlive),
  }
}

// No space may stand before the colon, and no line may go on in the next: both have been read in two ways.
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

function keptFor(keepAlive: string | undefined): number {
  const said = /(?:^|[\s,])timeout=(\d{1,6})(?:[\s,]|$)/i.exec(keepAlive ?? '')?.[1]
  if (said === undefined) return KEPT_UNSAID_MS
  return Math.min(Math.max(0, Number(said) * 1_000 - KEPT_MARGIN_MS), MAX_KEPT_MS)
}

const invalid = (): SendFailure => new SendFailure('INVALID_RESPONSE')
