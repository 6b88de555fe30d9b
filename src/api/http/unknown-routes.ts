// Addresses that no route has, and methods that a route does not take.

import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { sendRefusal } from './answer.ts'

// A known address with another method gets 405 and the allowed methods. Any other address gets 404. Called before the
// routes are added, because an `onRoute` hook only sees later ones.
export function refuseUnknownRoutes(app: FastifyInstance, ctx: Context): void {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url.replaceAll(/[.]/g, '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`,
    )
    for (const one of [method].flat()) routes.push({ pattern, method: one })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] as string
    const allowed = [
      ...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method)),
    ]
    if (allowed.length === 0) {
      return sendRefusal(
        ctx.settings,
        request,
        reply,
        refuse('NOT_FOUND', 'No such address: /docs lists what there is.'),
      )
    }
    reply.header('allow', allowed.join(', '))
    return sendRefusal(
      ctx.settings,
      request,
      reply,
      refuse('METHOD_NOT_ALLOWED', `This address takes ${allowed.join(', ')}.`),
    )
  })
}
