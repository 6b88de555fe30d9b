// The page of lifecycles: drawings, transitions and states.

import { type Block, heading, type Page, table, text } from '../print/block.ts'
import { LIFECYCLE_DOCS } from './lifecycle-tables.ts'
import { pagePath } from './resource.ts'

export function lifecyclesPage(): Page {
  return {
    path: '/docs/lifecycles',
    title: 'Lifecycles',
    summary: 'The states of payins, payouts and payment links, and what moves them.',
    section: 'API reference',
    language: 'en',
    blocks: [
      text(
        'Only what is drawn can happen. A final state never changes: money that arrives later goes to suspense for the operator, and never changes an outcome you were told.',
      ),
      ...LIFECYCLE_DOCS.flatMap((doc): Block[] => [
        heading(2, doc.title, doc.id),
        text(`Operations: [${doc.tag}](${pagePath(doc.tag)}).`),
        { kind: 'lifecycle', doc },
        table(
          `States: ${doc.title}`,
          ['State', 'Meaning'],
          Object.entries(doc.states).map(([state, meaning]) => [`\`${state}\``, meaning]),
        ),
      ]),
    ],
  }
}
