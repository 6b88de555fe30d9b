// The routes of receipts: /receipts/{id}, /evidence/{id} and /verify, open to whoever has the address. They read and change
// nothing. A browser gets a page; a program that accepts JSON gets that.

import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ContentEncoding, encodingFor } from '../../core/content-encoding.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Environment } from '../../flows/context.ts'
import { findEvidence } from '../../flows/receipts/evidence.ts'
import { findReceipt, presentReceipt, type Receipt } from '../../flows/receipts/receipt.ts'
import { verifyStatement } from '../../flows/receipts/verify.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import { evidencePage } from './evidence-page.ts'
import { plainPage, type Setting, sendFramed, settingOf } from './frame.ts'
import { receiptImage } from './image.ts'
import { receiptPage } from './receipt-page.ts'
import { type FormResult, verifyPage } from './verify-page.ts'
import { VERIFY_WORKER } from './verify-script.ts'

type ReceiptContext = Parameters<typeof findEvidence>[0]

export type ReceiptOptions = {
  readonly ctx: ReceiptContext
  readonly environment: Environment
  /** Where browsers reach these pages. Its path, if any, prefixes every address. */
  readonly publicUrl: string
  /** Receives the error. The visitor only sees that something failed. */
  readonly onError?: (error: unknown, request: FastifyRequest) => void
}

// Evidence with all its answers is the longest text that is ever pasted.
const FORM_LIMIT_BYTES = 32 * 1_024
const RETRY_AFTER_SECONDS = 5

export function routeReceipts(app: FastifyInstance, options: ReceiptOptions): void {
  app.register(async (pages) => {
    readForms(pages)
    answerErrors(pages, options)
    routePages(pages, options)
    routeVerify(pages, options)
  })
}

type Params = { receiptId: string }

function routePages(pages: FastifyInstance, options: ReceiptOptions): void {
  const { ctx } = options
  const receiptOf = (request: FastifyRequest): Promise<Receipt | undefined> =>
    findReceipt(ctx, (request.params as Params).receiptId)

  pages.get('/receipts/:receiptId', async (request, reply) => {
    const setting = settingOf(options, request)
    const receipt = await receiptOf(request)
    if (receipt === undefined) return sendNotFound(request, reply, setting)
    if (wantsJson(request)) return sendJson(reply, presentReceipt(receipt))
    return sendFramed(request, reply, 200, setting, receiptPage(setting, receipt))
  })
  pages.get('/receipts/:receiptId/image.svg', async (request, reply) => {
    const setting = settingOf(options, request)
    const receipt = await receiptOf(request)
    const image = receipt && receiptImage(receipt, setting.language, options.environment === 'staging')
    if (image === undefined) return sendNotFound(request, reply, setting)
    return reply
      .headers({ ...PRIVATE_HEADERS, vary: 'accept-language' })
      .type('image/svg+xml')
      .send(image)
  })
  pages.get('/evidence/:place', async (request, reply) => {
    const setting = settingOf(options, request)
    const evidence = await findEvidence(ctx, (request.params as { place: string }).place)
    if (evidence === undefined) return sendNotFound(request, reply, setting)
    return sendFramed(request, reply, 200, setting, evidencePage(setting, evidence))
  })
}

function routeVerify(pages: FastifyInstance, options: ReceiptOptions): void {
  const { ctx } = options
  const show = async (request: FastifyRequest, reply: FastifyReply, result?: FormResult) => {
    const setting = settingOf(options, request)
    return sendFramed(request, reply, 200, setting, verifyPage(setting, await ctx.statements.keys(), result))
  }
  pages.get('/verify', (request, reply) => show(request, reply))
  pages.post('/verify', async (request, reply) => {
    const text =
      new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('statement') ?? ''
    if (wantsJson(request)) return sendJson(reply, await verifyStatement(ctx, text))
    const verified = text.trim() === '' ? ('empty' as const) : await verifyStatement(ctx, text)
    return show(request, reply, { text, verified })
  })
  pages.get('/verify/worker.js', async (request, reply) => {
    const { root } = settingOf(options, request)
    return reply
      .headers({
        ...SCRIPT_HEADERS,
        'service-worker-allowed': `${root}/verify`,
        // What the worker itself may ask for.
        'content-security-policy': "default-src 'none'; connect-src 'self'",
      })
      .type('text/javascript; charset=utf-8')
      .send(VERIFY_WORKER)
  })
  // For browsers that cannot read a QR code by themselves.
  for (const name of ['decode.js', 'index.js'] as const)
    pages.get(`/verify/reader/${name}`, async (request, reply) => {
      const encoding = encodingFor(request.headers['accept-encoding'])
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return reply
        .headers({ ...SCRIPT_HEADERS, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' })
        .type('text/javascript; charset=utf-8')
        .send(readerFile(name, encoding))
    })
}

const SCRIPT_HEADERS = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' } as const

const READER = { 'decode.js': 'qr/decode.js', 'index.js': 'qr' } as const
const COMPRESS: Readonly<Record<ContentEncoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
}

// Two files in three encodings, each read and compressed once: they are a hundred kilobytes and never change.
const readerFiles = new Map<string, Buffer>()

function readerFile(name: keyof typeof READER, encoding: ContentEncoding): Buffer {
  const found = readerFiles.get(`${encoding} ${name}`)
  if (found !== undefined) return found
  const bytes = COMPRESS[encoding](readFileSync(new URL(import.meta.resolve(READER[name]))))
  readerFiles.set(`${encoding} ${name}`, bytes)
  return bytes
}

function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply
    .headers({ ...PRIVATE_HEADERS, vary: 'accept' })
    .type('application/json')
    .send(JSON.stringify(value))
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply, setting: Setting): FastifyReply {
  const { notFound, notFoundText } = setting.words.receipt
  if (wantsJson(request))
    return sendJson(reply.code(404), { title: notFound, status: 404, code: 'NOT_FOUND' })
  return sendFramed(request, reply, 404, setting, plainPage(notFound, notFoundText))
}

function readForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers()
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, text, done) => done(null, text),
  )
}

function answerErrors(pages: FastifyInstance, options: ReceiptOptions): void {
  pages.setErrorHandler((error, request, reply) => {
    const setting = settingOf(options, request)
    const { statusCode } = error as { statusCode?: number }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
      return sendFramed(
        request,
        reply,
        statusCode,
        setting,
        plainPage(setting.words.verify.title, setting.words.verify.unreadable),
      )
    if (!isRefusal(error)) options.onError?.(error, request)
    const isTooFast = isRefusal(error) && error.refused === 'RATE_LIMITED'
    const retryAfter = isRefusal(error) ? error.retryAfterSeconds : undefined
    reply.header('retry-after', retryAfter ?? RETRY_AFTER_SECONDS)
    const { broken, brokenText } = setting.words.receipt
    return sendFramed(request, reply, isTooFast ? 429 : 503, setting, plainPage(broken, brokenText))
  })
}
