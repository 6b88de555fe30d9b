// The documentation's routes: /docs and everything under it, openapi.json, llms.txt. The site is loaded and built on
// the first request for a page, so that it does not slow down the server's start.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '../api/http/answer.ts'
import { openApiDocument } from '../api/openapi/document.ts'
import { refuse } from '../core/refusal.ts'
import { asLanguage, LANGUAGE_COOKIE, preferredLanguage } from './language.ts'
import type { Language } from './print/block.ts'
import { type Document, type PreparedDocument, prepare, send, sendOnce } from './send.ts'
import type { Site, SiteOptions } from './site.ts'

export function routeDocs(app: FastifyInstance, options: SiteOptions): void {
  const { publicUrl, environment } = options
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '')
  let loading: Promise<Site> | undefined
  const site = (): Promise<Site> => {
    loading ??= import('./site.ts').then(({ createSite }) => createSite(options))
    return loading
  }
  const openApi = (): Document => ({
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(openApiDocument(publicUrl, environment)),
  })
  // Bounded, because only documents of the site are cached.
  const cache = new Map<string, PreparedDocument>()
  const find = async (path: string): Promise<PreparedDocument | undefined> => {
    const cached = cache.get(path)
    if (cached !== undefined) return cached
    const document = path === OPEN_API ? openApi() : (await site()).documentAt(path)
    if (document === undefined) return undefined
    const prepared = prepare(document)
    cache.set(path, prepared)
    return prepared
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request)
    if (path !== OPEN_API && negotiate(request, reply, (await site()).addressIn)) return reply
    const document = await find(path)
    return document === undefined ? answerUnknownAddress(request, reply) : send(request, reply, document)
  }
  // Leads to the language that the switch asks for, or that an English address is to be read in. Markdown and scripts are
  // sent as they are addressed.
  const negotiate = (request: FastifyRequest, reply: FastifyReply, addressIn: Site['addressIn']): boolean => {
    const path = pathOf(request)
    const isEnglish = addressIn(path, 'en') === path
    if (addressIn(path, 'es') === undefined) return false
    if (isEnglish) reply.header('vary', 'accept-encoding, accept-language, cookie')
    const asked = asLanguage((request.query as { lang?: unknown }).lang)
    if (asked !== undefined)
      reply.header('set-cookie', `${LANGUAGE_COOKIE}=${asked}; ${cookieAttributes(publicUrl)}`)
    const language = asked ?? (isEnglish ? languageOf(request) : 'es')
    const address = addressIn(path, language)
    if (address === path || address === undefined) return false
    const query = asked === undefined ? '' : `?lang=${asked}`
    void reply
      .code(302)
      .header('cache-control', 'no-cache')
      .header('location', base + address + query)
      .send()
    return true
  }
  // A browser gets a page that leads on, a program gets the usual refusal.
  const answerUnknownAddress = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && (await find(pathOf(request))) !== undefined) {
      const refusal = refuse('METHOD_NOT_ALLOWED', 'This address takes GET, HEAD.')
      return sendRefusal({ publicUrl }, request, reply.header('allow', 'GET, HEAD'), refusal)
    }
    if (isRead && /text\/html/.test(request.headers.accept ?? ''))
      return sendOnce(
        reply,
        404,
        (await site()).notFound(
          /^\/docs\/(guides\/)?es\//.test(pathOf(request)) ? 'es' : languageOf(request),
        ),
      )
    const refusal = refuse('NOT_FOUND', 'No such address: /docs lists what there is.')
    return sendRefusal({ publicUrl }, request, reply, refusal)
  }

  // A person who opens the bare address is shown where to read. A program is told what it would be told elsewhere.
  app.get('/', (request, reply) =>
    /text\/html/.test(request.headers.accept ?? '')
      ? reply.code(302).header('location', `${base}/docs`).header('vary', 'accept').send()
      : answerUnknownAddress(request, reply),
  )
  for (const address of [OPEN_API, '/llms.txt', '/llms-full.txt', '/docs', '/docs.md'])
    app.get(address, answer)
  app.register(
    async (docs) => {
      docs.setNotFoundHandler(answerUnknownAddress)
      for (const [address, language] of [
        ['/search', 'en'],
        ['/es/search', 'es'],
      ] as const)
        docs.get(address, async (request, reply) => {
          const { q } = request.query as { q?: string | string[] }
          return sendOnce(reply, 200, (await site()).search([q ?? ''].flat()[0] ?? '', language))
        })
      // /docs/payins, /docs/guides/pse, /docs/guides/es/pse, /docs/es/in-depth/rails
      for (const address of ['/:one', '/:one/:two', '/:one/:two/:three']) docs.get(address, answer)
    },
    { prefix: '/docs' },
  )
}

const OPEN_API = '/openapi.json'
const YEAR_SECONDS = 366 * 86_400

// Nothing but these pages gets it, and no script reads it.
function cookieAttributes(publicUrl: string): string {
  const { pathname, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `Path=${pathname.replace(/\/+$/, '')}/docs; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`
}

function languageOf({ headers }: FastifyRequest): Language {
  return preferredLanguage(headers.cookie, headers['accept-language'])
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] as string
}
