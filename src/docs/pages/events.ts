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
    summary: 'Every event, when it is sent, and its payload.',
    section: 'API reference',
    language: 'en',
    blocks: [
      text(
        'An event is stored together with the change it reports, so there is no event without a change and no change without its event. It is sent to your [webhook endpoints](/docs/webhooks), and stays in the [event log](/docs/events).',
      ),
      table(
        'Event types',
        ['Event', 'When', 'Sent by default'],
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
            text(
              `${when}${isUsual || component === undefined ? '' : ' Sent only to endpoints that list it in `events`.'}`,
            ),
            component === undefined
              ? text('`data` holds the `endpointId` and a `message`.')
              : text(
                  `\`data\` is the [${wordsOf(component)}](${components.sectionOf(component)}) ${isWhole ? 'as the API returned it at that moment' : 'in short form'}.`,
                ),
            ...(component === undefined
              ? []
              : [
                  {
                    kind: 'fields' as const,
                    label: 'Fields that matter for this event',
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
