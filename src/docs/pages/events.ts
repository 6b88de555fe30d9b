// The page of event types: when each event is sent, what it contains, and an example.

import { type Block, heading, json, type Page, table, text } from '../print/block.ts'
import { eventDocs } from './event-examples.ts'
import { fieldsOf } from './fields.ts'
import { componentsOf, type Setting, wordsOf } from './resource.ts'

export function eventTypesPage({ api }: Setting): Page {
  const docs = eventDocs(api)
  const components = componentsOf(api)
  return {
    path: '/docs/event-types',
    title: 'Event types',
    summary: 'What you are told, when, and with which payload.',
    section: 'API reference',
    language: 'en',
    blocks: [
      text(
        'An event is written with the change it tells of: nothing is announced that did not happen, and nothing that happened goes untold. It is sent to your [webhook endpoints](/docs/webhooks), and stays in the [event log](/docs/events).',
      ),
      table(
        'Event types',
        ['Event', 'When', 'To endpoints that name none'],
        docs.map(({ name, when, isUsual }) => [`[\`${name}\`](#${name})`, when, isUsual ? 'yes' : 'no']),
      ),
      heading(2, 'The envelope', 'envelope'),
      {
        kind: 'fields',
        label: 'Fields of every event',
        fields: fieldsOf(
          api.schemas.Event ?? {},
          'event',
          { ...components, sectionOf: () => undefined },
          'answered',
        ),
      },
      ...docs.flatMap(({ name, when, isUsual, component, isWhole, example }): Block[] => [
        heading(2, `\`${name}\``, name),
        {
          kind: 'split',
          text: [
            text(`${when}${isUsual || component === undefined ? '' : ' Only for endpoints that name it.'}`),
            component === undefined
              ? text('`data` holds the `endpointId` and a `message`.')
              : text(
                  `\`data\` is the [${wordsOf(component)}](${components.sectionOf(component)}) ${isWhole ? 'as the API would have answered it at that moment' : 'in short'}.`,
                ),
            ...(component === undefined
              ? []
              : [
                  {
                    kind: 'fields' as const,
                    label: 'Fields that tell this event',
                    fields: relevantFields(name, component, isWhole, example.data as Record<string, unknown>),
                  },
                ]),
          ],
          code: [json(name, example)],
        },
      ]),
    ],
  }

  // The fields that matter for the event. The whole object is on its own page.
  function relevantFields(name: string, component: string, isWhole: boolean, data: Record<string, unknown>) {
    return fieldsOf(api.schemas[component] ?? {}, `${name}.data`, components, 'answered')
      .filter((field) => (isWhole ? RELEVANT_FIELDS.has(field.name) : field.name in data))
      .map((field) => ({ ...field, values: [], facts: [`here \`${String(data[field.name])}\``] }))
  }
}

const RELEVANT_FIELDS = new Set([
  'status',
  'settlementStatus',
  'confirmedAmountInCents',
  'errorCode',
  'reference',
  'resultAt',
  'completedAt',
  'chargebackAt',
  'chargebackAmountInCents',
])
