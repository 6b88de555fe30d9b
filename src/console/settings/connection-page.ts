// One connection: how it is used, whether it works, the address that its provider notifies, and its credentials.

import { changeConnectionOperation, deleteConnectionOperation } from '../../api/connections/operations.ts'
import { testConnectionOperation } from '../../api/connections/provider-operations.ts'
import { type Connection, notificationUrl } from '../../core/connections/connection.ts'
import { PROVIDER_DESCRIPTIONS } from '../../core/connections/provider.ts'
import { type Html, html } from '../../core/html.ts'
import { openCredentials } from '../../flows/connections/credentials.ts'
import { getConnection } from '../../store/connections/connections.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { timeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { idParam, paramOf } from '../params.ts'
import type { FormRoute, Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { credentialFields, settingFields, settingValues } from './connection-fields.ts'
import { CONNECTION_WORDS } from './connection-words.ts'
import { CONNECTIONS_PATH, rangeText, stateMark } from './connections.ts'
import { panel, proofNote, settingsPage } from './frame.ts'
import { changedBody, changesSince, seenField } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

type Which = 'settings' | 'credentials' | 'test' | 'delete'
type Tested = {
  readonly passed: boolean
  readonly checks: readonly { what: string; problem: string | null }[]
}
type Shown = { readonly open?: { which: Which; form: FormState }; readonly tested?: Tested }

const pathOf = (id: string, which: Which) =>
  which === 'settings' ? `${CONNECTIONS_PATH}/${id}` : `${CONNECTIONS_PATH}/${id}/${which}`

async function connectionOf(visit: Visit): Promise<Connection | undefined> {
  const connectionId = idParam(visit, 'connectionId')
  if (connectionId === undefined) return undefined
  const { organizationId } = visit.organization
  return getConnection(visit.ctx.db, { organizationId, connectionId })
}

async function connectionPage(visit: Visit, shown: Shown = {}): Promise<Page | undefined> {
  const connection = await connectionOf(visit)
  if (connection === undefined) return undefined
  const { language, options } = visit
  const words = CONNECTION_WORDS[language]
  const { title } = PROVIDER_DESCRIPTIONS[connection.provider]
  const formOf = (which: Which): FormState => (shown.open?.which === which ? shown.open.form : newForm(visit))
  const params = { connectionId: connection.connectionId }
  const at = (which: Which) => pathOf(connection.connectionId, which)

  const testing = formFrame(visit, formOf('test'), {
    action: at('test'),
    operation: testConnectionOperation,
    fields: [],
    submit: words.test.submit,
    call: { params },
  })
  const settings = formFrame(visit, formOf('settings'), {
    action: at('settings'),
    operation: changeConnectionOperation,
    fields: [...settingFields(visit, connection.provider, connection), seenField(settingValues(connection))],
    submit: SETTINGS_WORDS[language].save,
    call: { params, body: { enabled: !connection.enabled } },
  })
  const rotating = formFrame(visit, formOf('credentials'), {
    action: at('credentials'),
    operation: changeConnectionOperation,
    fields: credentialFields(visit, connection.provider, connection.environment, givenTo(visit, connection)),
    submit: words.rotate.submit,
    call: { params, body: { credentials: {} } },
  })
  const deleting = formFrame(visit, formOf('delete'), {
    action: at('delete'),
    operation: deleteConnectionOperation,
    fields: [],
    submit: words.remove.submit,
    isGrave: true,
    call: { params },
  })
  const address = copyable(visit, notificationUrl(options.publicUrl, connection))
  const content = html`${facts(visit, connection)}
${panel(words.notification.title, words.notification.text(title), html`<p class="stack">${address}</p>`)}
${panel(words.test.title, words.test.text, html`${shown.tested && testResult(visit, shown.tested)}${testing}`, 'test')}
${panel(words.settings.title, false, settings, 'settings')}
${panel(words.rotate.title, words.rotate.text, html`${previousNote(visit, connection)}${proofNote(visit)}${rotating}`, 'credentials')}
${panel(words.remove.title, words.remove.text, deleting, 'delete')}`
  return settingsPage(visit, {
    part: 'connections',
    title: connection.name,
    actions: stateMark(visit, connection),
    back: { path: CONNECTIONS_PATH, label: SETTINGS_WORDS[language].parts.connections.name },
    content,
  })
}

function facts(visit: Visit, connection: Connection): Html {
  const { language, ctx } = visit
  const words = CONNECTION_WORDS[language]
  const rows: [string, string][] = [
    [words.columns.uses, connection.uses.map((use) => words.uses[use]).join(', ')],
    [words.columns.amounts, rangeText(visit, connection)],
    [words.columns.priority, String(connection.priority)],
    [words.environment, words.environments[connection.environment]],
    [words.created, timeText(connection.createdAt, ctx.clock.now(), language)],
  ]
  return html`<dl class="facts card panel">${rows.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

function givenTo({ ctx }: Visit, { connectionId, credentials }: Connection): Record<string, string> {
  return { ...openCredentials(ctx.settings.keys, connectionId, credentials) }
}

function previousNote({ ctx, language }: Visit, { previousUntil }: Connection): Html | false {
  const now = ctx.clock.now()
  if (previousUntil === null || previousUntil <= now) return false
  const until = timeText(previousUntil, now, language)
  return html`<p class="note-line">${icon('clock')}<span>${CONNECTION_WORDS[language].rotate.until(until)}</span></p>`
}

function testResult({ language }: Visit, { passed, checks }: Tested): Html {
  const words = CONNECTION_WORDS[language].test
  const rows = checks.map(
    ({ what, problem }) =>
      html`<li class="check ${problem === null ? 'is-good' : 'is-bad'}">${icon(problem === null ? 'check' : 'warning')}<span><b>${what}</b>: ${problem ?? words.fine}</span></li>`,
  )
  return html`<div class="tested note-line ${passed ? 'is-good' : 'is-bad'}" role="status"><span><b>${passed ? words.passed : words.failed}</b><ul>${rows}</ul></span></div>`
}

const formRoute = (
  which: Which,
  { operation, ...route }: Pick<FormRoute, 'operation' | 'done'> & Partial<FormRoute>,
): FormRoute => ({
  method: 'POST',
  path: pathOf(':connectionId', which),
  operation,
  call: (visit) => ({ params: { connectionId: paramOf(visit, 'connectionId') } }),
  again: (visit, form) => connectionPage(visit, { open: { which, form } }),
  ...route,
})

const here = (visit: Visit) => `${CONNECTIONS_PATH}/${paramOf(visit, 'connectionId')}`

export const connectionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: pathOf(':connectionId', 'settings'),
    scope: 'connections:read',
    show: (visit) => connectionPage(visit),
  },
  formRoute('settings', {
    operation: changeConnectionOperation,
    stepUp: true,
    call: async (visit, typed) => {
      const connection = await connectionOf(visit)
      const fields = connection ? settingFields(visit, connection.provider, connection) : []
      return {
        params: { connectionId: paramOf(visit, 'connectionId') },
        body: changedBody(fields, typed),
      }
    },
    done: here,
    changedMeanwhile: async (visit, typed) => {
      const connection = await connectionOf(visit)
      if (connection === undefined) return []
      const fields = settingFields(visit, connection.provider, connection)
      const words = CONNECTION_WORDS[visit.language]
      return changesSince(typed, settingValues(connection), fields, (_, value) => {
        if (typeof value === 'boolean') return value ? words.on : words.off
        if (Array.isArray(value)) return value.map((use) => words.uses[use as 'PSE_IN'] ?? use).join(', ')
        return value === null ? SETTINGS_WORDS[visit.language].nothing : String(value)
      })
    },
  }),
  formRoute('credentials', {
    operation: changeConnectionOperation,
    stepUp: true,
    call: async (visit, typed) => {
      const connection = await connectionOf(visit)
      const fields =
        connection === undefined ? [] : credentialFields(visit, connection.provider, connection.environment)
      return {
        params: { connectionId: paramOf(visit, 'connectionId') },
        body: { credentials: {}, ...bodyOf(fields, typed) },
      }
    },
    done: here,
  }),
  formRoute('test', {
    operation: testConnectionOperation,
    done: async (visit, answer) => (await connectionPage(visit, { tested: answer as Tested })) ?? here(visit),
  }),
  formRoute('delete', {
    operation: deleteConnectionOperation,
    stepUp: true,
    done: () => CONNECTIONS_PATH,
  }),
]
