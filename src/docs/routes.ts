// The documentation's routes: /docs and everything under it, openapi.json, llms.txt. The site is loaded and built on
// the first request for a page, so that it does not slow down the server's start.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '../api/http/answer.ts'
import { openApiDocument } from '../api/openapi/document.ts'
import { refuse } from '../core/refusal.ts'
import { type Document, type PreparedDocument, prepare, send, sendOnce } from './send.ts'
import type { Site, SiteOptions } from './site.ts'

export function routeDocs(app: FastifyInstance, options: SiteOptions): void {
  const { publicUrl, environment } = options
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
    const document = await find(path)
    return document === undefined ? answerUnknownAddress(request, reply) : send(request, reply, document)
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
      return sendOnce(reply, 404, (await site()).notFound())
    const refusal = refuse('NOT_FOUND', 'No such address: /docs lists what there is.')
    return sendRefusal({ publicUrl }, request, reply, refusal)
  }

  for (const address of [OPEN_API, '/llms.txt', '/llms-full.txt', '/docs', '/docs.md'])
    app.get(address, answer)
  app.register(
    async (docs) => {
      docs.setNotFoundHandler(answerUnknownAddress)
      docs.get('/search', async (request, reply) => {
        const { q } = request.query as { q?: string | string[] }
        return sendOnce(reply, 200, (await site()).search([q ?? ''].flat()[0] ?? ''))
      })
      // /docs/payins, /docs/guides/pse, /docs/guides/es/pse
      for (const address of ['/:one', '/:one/:two', '/:one/:two/:three']) docs.get(address, answer)
    },
    { prefix: '/docs' },
  )
}

const OPEN_API = '/openapi.json'

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] as string
}
