// The audit log as a list: who did what, to what, and how it ended.

import { listAuditOperation } from '../../api/audit/operations.ts'
import { ACT_NAMES } from '../../core/audit/act.ts'
import { ACTOR_KINDS } from '../../core/audit/actor.ts'
import { OUTCOMES, type Outcome } from '../../core/audit/entry.ts'
import { type Html, html } from '../../core/html.ts'
import type { ListedEntry } from '../../store/audit/entries.ts'
import { type AuditView, filteredAudit } from '../../store/audit/filtered.ts'
import { curlOf } from '../curl.ts'
import { shortTimeText } from '../format.ts'
import {
  type Column,
  inFile,
  type ListDefinition,
  type ListFilters,
  type ListView,
} from '../lists/definition.ts'
import { SETTINGS_WORDS } from '../settings/words.ts'
import { statusMark } from '../words/states.ts'
import { chainNote } from './chain.ts'
import { objectName } from './object-words.ts'
import { AUDIT_WORDS, actName } from './words.ts'

export const AUDIT_PATH = '/settings/audit'

export function actorText({ actor }: ListedEntry, { states }: Pick<ListView, 'states'>): string {
  return actor.name ?? states.actorKinds[actor.kind]
}

// Ids say little. The beginning is enough to tell two apart.
function objectHtml({ objectKind, objectId }: ListedEntry, { visit }: ListView): Html {
  return html`${objectName(objectKind, visit.language)}${objectId !== null && html` <code title="${objectId}">${objectId.slice(0, 13)}</code>`}`
}

const COLUMNS: readonly Column<ListedEntry>[] = [
  {
    name: 'what',
    place: 'main',
    cell: ({ act }, { visit }) => actName(act, visit.language),
    value: ({ act }) => ({ text: act }),
  },
  {
    name: 'outcome',
    place: 'status',
    cell: ({ outcome }, { states }) =>
      statusMark('', states.auditOutcomes[outcome], outcome === 'refused' ? 'bad' : 'good'),
    value: ({ outcome }, { states }) => ({ text: states.auditOutcomes[outcome] }),
  },
  {
    name: 'who',
    place: 'text',
    cell: (entry, view) => actorText(entry, view),
    value: (entry, view) => ({ text: actorText(entry, view) }),
  },
  {
    name: 'object',
    place: 'aside',
    cell: objectHtml,
    value: ({ objectKind, objectId }) => ({
      text: objectId === null ? objectKind : `${objectKind} ${objectId}`,
    }),
  },
  {
    name: 'address',
    place: 'aside',
    cell: ({ actor }) => actor.address,
    value: ({ actor }) => ({ text: actor.address }),
  },
  {
    name: 'when',
    place: 'time',
    cell: ({ at }, { now, visit }) => shortTimeText(at, now, visit.language),
    value: ({ at }) => ({ time: at }),
  },
]

const ALSO_IN_FILES: readonly Column<ListedEntry>[] = [
  inFile('refusal', ({ refusal }) => ({ text: refusal })),
  inFile('changes', ({ changes }) => ({ text: changes === '{}' ? null : changes })),
  inFile('request', ({ actor }) => ({ text: actor.requestId })),
  inFile('line', ({ sequence }) => ({ number: sequence })),
  inFile('id', ({ entryId }) => ({ text: entryId })),
]

export const auditEntries: ListDefinition<ListedEntry> = {
  name: 'audit',
  title: ({ language }) => SETTINGS_WORDS[language].parts.audit.name,
  section: 'settings',
  path: AUDIT_PATH,
  scope: 'audit:read',
  hasText: true,
  hasAmount: false,
  defaultPeriod: '30d',
  tab: {
    name: 'outcome',
    values: OUTCOMES,
    label: (states, outcome) => states.auditOutcomes[outcome as Outcome],
    hasSum: false,
  },
  selects: [
    {
      name: 'act',
      label: (words) => words.act,
      any: (words) => words.allActs,
      options: ({ visit }) => ACT_NAMES.map((act) => [act, actName(act, visit.language)]),
    },
    {
      name: 'kind',
      label: (words) => words.actorKind,
      any: (words) => words.allActorKinds,
      options: ({ states }) => ACTOR_KINDS.map((kind) => [kind, states.actorKinds[kind]]),
    },
  ],
  ids: [
    { name: 'actor', label: (words) => words.actor },
    { name: 'object', label: (words) => words.object },
  ],
  open: (db, organizationId, filters) => filteredAudit(db, organizationId, viewOf(filters)),
  idOf: ({ entryId }) => entryId,
  hrefOf: ({ entryId }) => `${AUDIT_PATH}/${entryId}`,
  columns: COLUMNS,
  alsoInFiles: ALSO_IN_FILES,
  above: chainNote,
  teach: ({ language, options }) => ({
    ...AUDIT_WORDS[language].teach,
    curl: curlOf(listAuditOperation, {}, options.publicUrl),
  }),
}

function viewOf({ tab, chosen, text, bounds }: ListFilters): AuditView {
  return {
    ...bounds,
    ...(tab !== undefined && { outcome: tab as Outcome }),
    ...(chosen.act !== undefined && { act: chosen.act }),
    ...(chosen.kind !== undefined && { actorKind: chosen.kind }),
    ...(chosen.actor !== undefined && { actorId: chosen.actor }),
    ...(chosen.object !== undefined && { objectId: chosen.object }),
    ...(text !== undefined && { text }),
  }
}
