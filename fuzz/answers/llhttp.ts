// Reads an answer with llhttp, the parser inside Node, as Node's own client drives it, without any of its lenient flags. The
// module that exports it is not documented, so its types are here.

import { createRequire } from 'node:module'
import type { Bytes, Reading } from './reading.ts'

type HttpParser = {
  [callback: number]: unknown
  initialize: (type: number, resource: object, maxHeaderSize: number, lenientFlags: number) => void
  execute: (bytes: Buffer) => number | Error
  finish: () => undefined | Error
}
type HttpParserClass = {
  new (): HttpParser
  readonly RESPONSE: number
  readonly kOnMessageBegin: number
  readonly kOnHeadersComplete: number
  readonly kOnBody: number
  readonly kOnMessageComplete: number
  readonly kLenientNone: number
}

const { HTTPParser } = createRequire(import.meta.url)('_http_common') as { HTTPParser: HttpParserClass }

export function llhttpReader(headerBytes: number): (bytes: Bytes) => Reading {
  const parser = new HTTPParser()
  let status: number | null = null
  let bodyBytes = 0
  let isWhole = false
  let isKept = false
  let isUpgraded = false

  parser[HTTPParser.kOnMessageBegin] = () => {
    // The beginning of a second answer, which nobody has asked for.
    if (isWhole) isKept = false
  }
  parser[HTTPParser.kOnHeadersComplete] = (...told: unknown[]): number => {
    const [, , , , , code, , , shouldKeepAlive] = told
    if (isWhole) return 0
    // As Node's client does: a 1xx has no body and comes before the answer, and a switch of protocols was not asked for.
    if (code === 101) {
      isUpgraded = true
      return 2
    }
    if ((code as number) < 200) return 1
    status = code as number
    isKept = shouldKeepAlive as boolean
    return 0
  }
  parser[HTTPParser.kOnBody] = (bytes: Buffer) => {
    if (!isWhole) bodyBytes += bytes.length
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (status !== null) isWhole = true
  }

  return ({ pieces, ends }) => {
    parser.initialize(HTTPParser.RESPONSE, {}, headerBytes, HTTPParser.kLenientNone)
    status = null
    bodyBytes = 0
    isWhole = false
    isKept = false
    isUpgraded = false
    let isRefused = false
    const failed = (result: unknown): boolean => result instanceof Error || isUpgraded
    for (const piece of pieces) {
      if (!failed(parser.execute(piece))) continue
      isRefused = true
      break
    }
    const isReusable = isWhole && isKept && !isRefused
    if (ends && !isRefused && failed(parser.finish())) isRefused = true
    const outcome = isWhole ? 'whole' : isRefused ? 'refused' : 'waiting'
    return { outcome, status, bodyBytes, isReusable }
  }
}
