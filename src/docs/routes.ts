// The addresses of the documentation: /docs and everything under it, openapi.json, llms.txt. The one thing to know: the site
// is loaded and made at the first request for a page, so that a server that nobody asks starts as fast as without.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '../api/http/answer.ts'
import { openApiDocument } from '../api/openapi/document.ts'
import { refuse } from '../core/refusal.ts'
import { type Document, type Kept, prepare, send, sendOnce } from './send.ts'
import type { Site, SiteOptions } from './site.ts'

export function routeDocs(app: FastifyInstance, options: SiteOptions): void {
  const { publicUrl, environment } = options
  let made: Promise<Site> | undefined
  const site = (): Promise<Site> => {
    made ??= import('./site.ts').then(({ createSite }) => createSite(options))
    return made
  }
  const openApi = (): Document => ({
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(openApiDocument(publicUrl, environment)),
  })
  // Bounded: only what the site has is kept.
  const kept = new Map<string, Kept>()
  const find = async (path: string): Promise<Kept | undefined> => {
    const known = kept.get(path)
    if (known !== undefined) return known
    const document = path === OPEN_API ? openApi() : (await site()).documentAt(path)
    if (document === undefined) return undefined
    const prepared = prepare(document)
    kept.set(path, prepared)
    return prepared
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request)
    const document = await find(path)
    return document === undefined ? refuseOrShow(request, reply) : send(request, reply, document)
  }
  // A browser gets a page with a way on, a program the refusal it knows.
  const refuseOrShow = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
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
      docs.setNotFoundHandler(refuseOrShow)
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
