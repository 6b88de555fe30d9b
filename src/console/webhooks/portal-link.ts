// The form that makes a link to the webhook portal, and the page that shows its address once.

import { createWebhookPortalLinkOperation } from '../../api/webhooks/portal-links.ts'
import { html } from '../../core/html.ts'
import { PORTAL_LINK_MINUTES } from '../../core/webhooks/portal-link.ts'
import { listEndpoints, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { createPage } from '../create/frame.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { timeText, withFullStop } from '../format.ts'
import { icon } from '../icons.ts'
import { shortUrl } from '../objects/sources.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import { proofNote } from '../settings/frame.ts'
import { secretCard } from '../settings/secret-page.ts'
import type { Visit } from '../visit.ts'
import { PORTAL_LINK_WORDS } from './portal-link-words.ts'
import { WEBHOOK_WORDS } from './words.ts'

export const PORTAL_LINK_PATH = '/webhooks/share'

function endpointsOf({ ctx, organization }: Visit): Promise<WebhookEndpoint[]> {
  return listEndpoints(ctx.db, organization.organizationId)
}

function fieldsOf({ language, request }: Visit, endpoints: readonly WebhookEndpoint[]): Field[] {
  const words = PORTAL_LINK_WORDS[language]
  // The page of an endpoint leads here with its id.
  const { endpoint: asked } = request.query as { endpoint?: unknown }
  const chosen = endpoints.filter(({ endpointId }) => endpoints.length === 1 || endpointId === asked)
  return [
    {
      kind: 'checks',
      path: '/endpointIds',
      label: words.endpoints,
      value: chosen.map(({ endpointId }) => endpointId),
      options: endpoints.map(({ endpointId, url, description }) => ({
        value: endpointId,
        label: shortUrl(url),
        ...(description !== null && { hint: description }),
      })),
      wrong: ({ code }) => (code === 'WRONG_LENGTH' ? words.endpointsMissing : undefined),
    },
    {
      kind: 'radio',
      path: '/readOnly',
      label: words.may,
      value: 'true',
      options: Object.entries(words.ways).map(([value, way]) => ({ value, ...way })),
    },
    {
      kind: 'select',
      path: '/expiresInMinutes',
      label: words.works,
      value: String(PORTAL_LINK_MINUTES.default),
      options: Object.entries(words.minutes).map(([value, label]) => ({ value, label })),
    },
    {
      kind: 'lines',
      path: '/frameAncestors',
      label: words.frames,
      hint: words.framesHint,
      isOptional: true,
      wrong: () => words.frameWrong,
    },
    {
      kind: 'select',
      path: '/language',
      label: words.language,
      isOptional: true,
      options: Object.entries(words.languages).map(([value, label]) => ({ value, label })),
    },
  ]
}

async function bodyFrom(visit: Visit, typed: URLSearchParams): Promise<Record<string, unknown>> {
  const { readOnly, expiresInMinutes, ...rest } = bodyOf(fieldsOf(visit, await endpointsOf(visit)), typed)
  return { ...rest, readOnly: readOnly !== 'false', expiresInMinutes: Number(expiresInMinutes) }
}

async function formPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language, home } = visit
  const words = PORTAL_LINK_WORDS[language]
  const endpoints = await endpointsOf(visit)
  const fields = fieldsOf(visit, endpoints)
  const empty = html`<p>${words.none}</p><p class="form-end"><a class="button main" href="${home}/webhooks/new">${icon('plus')}${WEBHOOK_WORDS[language].create}</a></p>`
  const drawn = formFrame(visit, form, {
    action: PORTAL_LINK_PATH,
    operation: createWebhookPortalLinkOperation,
    fields,
    submit: words.create,
    cancel: '/webhooks',
    call: { body: { endpointIds: endpoints.slice(0, 1).map(({ endpointId }) => endpointId) } },
  })
  return createPage(visit, {
    section: 'webhooks',
    title: words.title,
    lead: words.lead,
    back: { path: '/webhooks', label: WEBHOOK_WORDS[language].list },
    notes: endpoints.length > 0 && proofNote(visit),
    form: endpoints.length === 0 ? empty : drawn,
  })
}

type MadeLink = {
  readonly url: string
  readonly readOnly: boolean
  readonly frameAncestors: readonly string[]
  readonly expiresAt: string
}

function madePage(visit: Visit, made: MadeLink): Page {
  const { language, ctx, home } = visit
  const words = PORTAL_LINK_WORDS[language]
  const { url, readOnly, frameAncestors, expiresAt } = made
  const isFramed = frameAncestors.length > 0
  const notes = [
    words.until(timeText(Date.parse(expiresAt), ctx.clock.wallClock(), language)),
    readOnly ? words.mayLook : words.mayAct,
    isFramed ? words.framedBy(frameAncestors.join(', ')) : words.framedByNobody,
  ]
  const curl = `<iframe src="${url}" title="Webhooks" width="100%" height="800"></iframe>`
  const card = secretCard(visit, {
    values: [[words.address, url]],
    warning: words.once,
    notes: notes.map(withFullStop),
    ...(isFramed && { tryIt: { label: words.frame, curl } }),
    next: { path: '/webhooks', label: words.back },
  })
  const content = html`<div class="make"><nav class="trail"><a href="${home}/webhooks">${icon('left')}${WEBHOOK_WORDS[language].list}</a></nav><div class="head"><h1>${words.made}</h1></div>${card}</div>`
  return { title: words.made, section: 'webhooks', content }
}

export const portalLinkRoutes: readonly Route[] = [
  { method: 'GET', path: PORTAL_LINK_PATH, scope: 'webhooks:write', show: (visit) => formPage(visit) },
  {
    method: 'POST',
    path: PORTAL_LINK_PATH,
    operation: createWebhookPortalLinkOperation,
    // Whoever has the address sees what was sent, and may send it again.
    stepUp: true,
    call: async (visit, typed) => ({ body: await bodyFrom(visit, typed) }),
    done: (visit, answer) => madePage(visit, answer as MadeLink),
    again: formPage,
  },
]
