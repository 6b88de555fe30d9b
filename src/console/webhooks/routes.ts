// The routes about webhooks: the endpoints, one endpoint, and everything that can be done with it.

import {
  recoverWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  testWebhookEndpointOperation,
  verifyWebhookEndpointOperation,
} from '../../api/webhooks/endpoint-actions.ts'
import {
  changeWebhookEndpointOperation,
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
} from '../../api/webhooks/operations.ts'
import { type Html, html } from '../../core/html.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { whenText, withFullStop } from '../format.ts'
import { icon } from '../icons.ts'
import { shortUrl } from '../objects/sources.ts'
import type { Page } from '../page.ts'
import type { FormRoute, Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { endpointOf, endpointPage } from './endpoint-page.ts'
import { endpointFields, recoverFields } from './forms.ts'
import { webhooksPage } from './list-page.ts'
import { portalLinkRoutes } from './portal-link.ts'
import { WEBHOOK_WORDS } from './words.ts'

function paramsOf({ request }: Visit): { endpointId: string } {
  return request.params as { endpointId: string }
}

// An operation on one endpoint, after which its page is shown.
function onEndpoint(
  name: string,
  operation: FormRoute['operation'],
  more: Partial<Pick<FormRoute, 'call' | 'done' | 'stepUp'>> = {},
): FormRoute {
  return {
    method: 'POST',
    path: `/webhooks/:endpointId/${name}`,
    operation,
    call: (visit) => ({ params: paramsOf(visit) }),
    done: (visit) => `/webhooks/${paramsOf(visit).endpointId}`,
    again: endpointPage,
    ...more,
  }
}

// Without any event checked, an endpoint gets the main ones.
function endpointBody(visit: Visit, endpoint: WebhookEndpoint | null, typed: URLSearchParams): object {
  const body = bodyOf(endpointFields(visit, endpoint), typed)
  const events = body.events as string[]
  return { ...body, events: events.length === 0 ? null : events }
}

async function newPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const words = WEBHOOK_WORDS[visit.language]
  const frame = formFrame(visit, form, {
    action: '/webhooks',
    operation: createWebhookEndpointOperation,
    fields: endpointFields(visit, null),
    submit: words.create,
    cancel: '/webhooks',
    call: { body: { url: 'https://' } },
  })
  return formPage(visit, words.create, '/webhooks', words.list, frame)
}

async function editPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const endpoint = await endpointOf(visit)
  if (endpoint === undefined) return undefined
  const words = WEBHOOK_WORDS[visit.language]
  const path = `/webhooks/${endpoint.endpointId}`
  const { url, description } = endpoint
  const frame = formFrame(visit, form, {
    action: `${path}/edit`,
    operation: changeWebhookEndpointOperation,
    fields: endpointFields(visit, endpoint),
    submit: words.save,
    cancel: path,
    call: { params: { endpointId: endpoint.endpointId }, body: { url, description } },
  })
  return formPage(visit, words.edit, path, shortUrl(endpoint.url), frame)
}

function formPage({ home }: Visit, title: string, back: string, backLabel: string, form: Html): Page {
  const content = html`<nav class="trail"><a href="${home}${back}">${icon('left')}${backLabel}</a></nav><div class="head"><h1>${title}</h1></div>${form}`
  return { title, section: 'webhooks', content }
}

// A secret is shown once, in the answer itself. A reload asks for the same again and gets the same.
function secretPage(visit: Visit, answer: unknown): Page {
  const { language, home, ctx } = visit
  const words = WEBHOOK_WORDS[language]
  const { id, secret, previousSecretUntil } = answer as Record<string, string>
  const until =
    previousSecretUntil !== undefined &&
    html`<p>${withFullStop(words.oldSecretUntil(whenText(Date.parse(previousSecretUntil), ctx.clock.now(), language)))}</p>`
  const content = html`<div class="head"><h1>${words.secretTitle}</h1></div><section class="card once"><p><b>${words.secretIsOnce}</b></p><p class="once-secret">${copyable(visit, secret ?? '')}</p>${until}<p><a class="button main" href="${home}/webhooks/${id}">${words.back}</a></p></section>`
  return { title: words.secretTitle, section: 'webhooks', content }
}

// Whoever says where events go sees all payers, and whoever has the secret can say that something was paid.
export const webhookRoutes: readonly Route[] = [
  { method: 'GET', path: '/webhooks', scope: 'webhooks:read', show: webhooksPage },
  { method: 'GET', path: '/webhooks/new', scope: 'webhooks:write', show: (visit) => newPage(visit) },
  {
    method: 'POST',
    path: '/webhooks',
    operation: createWebhookEndpointOperation,
    // Whoever gives an address gets what is sent there.
    stepUp: true,
    call: (visit, typed) => ({ body: endpointBody(visit, null, typed) }),
    done: secretPage,
    again: newPage,
  },
  {
    method: 'GET',
    path: '/webhooks/:endpointId',
    scope: 'webhooks:read',
    show: (visit) => endpointPage(visit),
  },
  {
    method: 'GET',
    path: '/webhooks/:endpointId/edit',
    scope: 'webhooks:write',
    show: (visit) => editPage(visit),
  },
  {
    ...onEndpoint('edit', changeWebhookEndpointOperation, { stepUp: true }),
    call: async (visit, typed) => ({
      params: paramsOf(visit),
      body: endpointBody(visit, (await endpointOf(visit)) ?? null, typed),
    }),
    again: editPage,
  },
  onEndpoint('enable', changeWebhookEndpointOperation, {
    call: (visit) => ({ params: paramsOf(visit), body: { status: 'ENABLED' } }),
  }),
  onEndpoint('disable', changeWebhookEndpointOperation, {
    call: (visit) => ({ params: paramsOf(visit), body: { status: 'DISABLED' } }),
  }),
  onEndpoint('test', testWebhookEndpointOperation),
  onEndpoint('verify', verifyWebhookEndpointOperation),
  onEndpoint('rotate', rotateWebhookSecretOperation, { done: secretPage, stepUp: true }),
  onEndpoint('recover', recoverWebhookEndpointOperation, {
    call: (visit, typed) => ({ params: paramsOf(visit), body: bodyOf(recoverFields(visit), typed) }),
  }),
  onEndpoint('delete', deleteWebhookEndpointOperation, { done: () => '/webhooks' }),
  ...portalLinkRoutes,
]
