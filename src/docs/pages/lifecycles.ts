// The lifecycles, drawn and told.

import { type Block, heading, type Page, table, text } from '../print/block.ts'
import { STORIES } from './lifecycle-tables.ts'
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
        'What is not drawn cannot happen. A final state never changes: money that arrives after one waits in suspense for the operator, and never alters what you were told.',
      ),
      ...STORIES.flatMap((story): Block[] => [
        heading(2, story.title, story.id),
        text(`Operations: [${story.tag}](${pagePath(story.tag)}).`),
        { kind: 'lifecycle', story },
        table(
          `States: ${story.title}`,
          ['State', 'Meaning'],
          Object.entries(story.states).map(([state, meaning]) => [`\`${state}\``, meaning]),
        ),
      ]),
    ],
  }
}
