// The merchant's accounts at providers: the list, and the form that makes one.

import { createConnectionOperation } from '../../api/connections/operations.ts'
import { PRIORITY } from '../../api/connections/schema.ts'
import type { Connection } from '../../core/connections/connection.ts'
import {
  PROVIDER_DESCRIPTIONS,
  PROVIDERS,
  type Provider,
  type ProviderEnvironment,
} from '../../core/connections/provider.ts'
import { type Html, html } from '../../core/html.ts'
import { listConnections } from '../../store/connections/connections.ts'
import { bodyOf } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { queryOf } from '../params.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { type ConnectionSettings, credentialFields, settingFields } from './connection-fields.ts'
import { CONNECTION_WORDS } from './connection-words.ts'
import { panel, proofNote, settingsPage, wayTo } from './frame.ts'
import { SETTINGS_WORDS } from './words.ts'

export const CONNECTIONS_PATH = '/settings/connections'
const NEW_PATH = `${CONNECTIONS_PATH}/new`

async function connectionsPage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, home } = visit
  const words = CONNECTION_WORDS[language]
  const connections = await listConnections(ctx.db, organization.organizationId)
  const actions = wayTo(visit, NEW_PATH, words.create, 'connections:write', 'main')
  const { name, text } = SETTINGS_WORDS[language].parts.connections
  const rows = connections.map(
    (connection) => html`<li class="row-item"><a href="${home}${CONNECTIONS_PATH}/${connection.connectionId}">
<span class="row-main"><b>${connection.name}</b><small>${PROVIDER_DESCRIPTIONS[connection.provider].title} · ${words.environments[connection.environment]}</small></span>
<span class="row-text">${connection.uses.map((use) => words.uses[use]).join(' · ')}<small>${rangeText(visit, connection)}</small></span>
${stateMark(visit, connection)}${icon('right')}</a></li>`,
  )
  const content =
    connections.length === 0
      ? html`<section class="empty teach"><p class="empty-mark">${icon('links')}</p><h2>${words.empty.title}</h2><p>${words.empty.text}</p>${ctx.settings.installationRails.length > 0 && html`<p>${words.empty.installation}</p>`}<p class="empty-ways">${actions}</p></section>`
      : html`<ul class="row-list card">${rows}</ul><p class="hint after-list">${words.order}</p>`
  return settingsPage(visit, {
    part: 'connections',
    title: name,
    lead: text,
    actions: connections.length > 0 && actions,
    content,
  })
}

export function stateMark({ language }: Visit, { enabled }: Pick<Connection, 'enabled'>): Html {
  const words = CONNECTION_WORDS[language]
  return enabled ? statusMark('ENABLED', words.on, 'good') : statusMark('DISABLED', words.off, 'quiet')
}

export function rangeText(
  { language }: Visit,
  { minimumInCents, maximumInCents }: Pick<Connection, 'minimumInCents' | 'maximumInCents'>,
): string {
  const { range } = CONNECTION_WORDS[language]
  const parts = [
    minimumInCents !== null && range.from(amountText(minimumInCents, language)),
    maximumInCents !== null && range.to(amountText(maximumInCents, language)),
  ].filter((part) => part !== false)
  return parts.length === 0 ? range.all : parts.join(' ')
}

// Staging takes a provider's test environment, and production its live one.
export function environmentOf({ environment }: Visit): ProviderEnvironment {
  return environment === 'production' ? 'live' : 'test'
}

const PROVIDER_FIELD = '_provider'

function providerIn(visit: Visit, form: FormState): Provider | undefined {
  const named = form.isTyped ? form.typed.get(PROVIDER_FIELD) : queryOf(visit).get('provider')
  return PROVIDERS.find((provider) => provider === named)
}

function newSettings(provider: Provider): ConnectionSettings {
  const { title, uses } = PROVIDER_DESCRIPTIONS[provider]
  return {
    name: title,
    uses,
    priority: PRIORITY.default,
    minimumInCents: null,
    maximumInCents: null,
    enabled: false,
  }
}

async function newPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const words = CONNECTION_WORDS[visit.language]
  const provider = providerIn(visit, form)
  const back = { path: CONNECTIONS_PATH, label: SETTINGS_WORDS[visit.language].parts.connections.name }
  if (provider === undefined)
    return settingsPage(visit, {
      part: 'connections',
      title: words.choose,
      lead: words.chooseLead,
      back,
      content: providerCards(visit),
    })
  const { title } = PROVIDER_DESCRIPTIONS[provider]
  const environment = environmentOf(visit)
  const settings = settingFields(visit, provider, newSettings(provider))
  const credentials = credentialFields(visit, provider, environment)
  const drawn = formFrame(visit, form, {
    action: NEW_PATH,
    operation: createConnectionOperation,
    fields: [
      ...settings.slice(0, 2),
      ...credentials,
      ...settings.slice(2),
      { kind: 'hidden', path: PROVIDER_FIELD, value: provider },
    ],
    submit: words.submit,
    cancel: CONNECTIONS_PATH,
    call: { body: { name: title, provider, environment, uses: newSettings(provider).uses, credentials: {} } },
  })
  return settingsPage(visit, {
    part: 'connections',
    title: words.title(title),
    lead: words.credentialsHint,
    back,
    content: panel(`${title} · ${words.environments[environment]}`, false, html`${proofNote(visit)}${drawn}`),
  })
}

function providerCards({ language, home }: Visit): Html {
  const words = CONNECTION_WORDS[language]
  const cards = PROVIDERS.map(
    (provider) =>
      html`<li><a class="card part-card" href="${home}${NEW_PATH}?provider=${provider}">${icon('bank')}<span><b>${PROVIDER_DESCRIPTIONS[provider].title}</b><small>${words.providers[provider]}</small></span>${icon('right')}</a></li>`,
  )
  return html`<ul class="part-cards">${cards}</ul>`
}

export const connectionListRoutes: readonly Route[] = [
  { method: 'GET', path: CONNECTIONS_PATH, scope: 'connections:read', show: connectionsPage },
  { method: 'GET', path: NEW_PATH, scope: 'connections:read', show: (visit) => newPage(visit) },
  {
    method: 'POST',
    path: NEW_PATH,
    operation: createConnectionOperation,
    stepUp: true,
    call: (visit, typed) => {
      const provider = PROVIDERS.find((one) => one === typed.get(PROVIDER_FIELD))
      if (provider === undefined) return { body: {} }
      const environment = environmentOf(visit)
      const fields = [
        ...settingFields(visit, provider, newSettings(provider)),
        ...credentialFields(visit, provider, environment),
      ]
      return { body: { provider, environment, credentials: {}, ...bodyOf(fields, typed) } }
    },
    done: (_, answer) => `${CONNECTIONS_PATH}/${(answer as { id: string }).id}`,
    again: newPage,
  },
]
