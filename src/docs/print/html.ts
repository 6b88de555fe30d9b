// Prints blocks as HTML. Everything is readable without style and script: the switch between samples is radio buttons,
// and what a style hides is hidden visually only.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { Field } from '../pages/fields.ts'
import { drawLifecycle } from '../pages/lifecycle-drawing.ts'
import { TRANSITION_HEAD, transitionRows } from '../pages/lifecycle-tables.ts'
import type { Block, Sample } from './block.ts'
import { codeBox, type MarkdownPrinter, scrollBox } from './markdown.ts'
import { tryForm } from './playground.ts'

export type HtmlPrinting = {
  readonly markdown: MarkdownPrinter
  /** Prefix of our own addresses if the service runs under a path. */
  readonly base: string
}

export function printHtml(blocks: readonly Block[], printing: HtmlPrinting): Html[] {
  return blocks.map((block) => printBlock(block, printing))
}

function printBlock(block: Block, printing: HtmlPrinting): Html {
  const { inline, whole } = printing.markdown
  switch (block.kind) {
    case 'heading':
      return headingHtml(block.level, block.id, inline(block.text))
    case 'text':
      return html`<p${block.tone && html` class="${block.tone}"`}>${inline(block.text)}</p>`
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
    case 'table':
      return tableHtml(block.label, block.head, block.rows, printing.markdown)
    case 'code':
      return html`<figure class="answer"><figcaption>${block.caption}</figcaption>${codeBox(block.text, block.language, block.caption)}</figure>`
    case 'samples':
      return samplesHtml(block)
    case 'endpoint':
      return html`<p class="endpoint"><span class="method ${block.method}">${block.method}</span> <code>${block.path}</code></p>`
    case 'fields':
      return fieldsHtml(block.label, block.fields, printing.markdown)
    case 'lifecycle': {
      const { doc } = block
      return html`${scrollBox(`Drawing: ${doc.title}`, drawLifecycle(doc, doc.id).html)}${tableHtml(`Transitions: ${doc.title}`, TRANSITION_HEAD, transitionRows(doc), printing.markdown)}`
    }
    case 'split':
      return html`<div class="split"><div class="told">${printHtml(block.text, printing)}</div><div class="shown">${printHtml(block.code, printing)}</div></div>`
    case 'try':
      return tryForm(block.operation, printing.base)
    case 'foreign':
      return html`<div lang="${block.language}">${printHtml(block.blocks, printing)}</div>`
    case 'markdown':
      return whole(block.source)
  }
}

function headingHtml(level: number, id: string, content: Html): Html {
  return html`${trustedHtml(`<h${level}`)} id="${id}"><a class="anchor" href="#${id}">${content}</a>${trustedHtml(`</h${level}>`)}`
}

function tableHtml(
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { inline }: MarkdownPrinter,
): Html {
  const content = html`<table><thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table>`
  return scrollBox(label, content.html)
}

function samplesHtml({ id, caption, samples, folded }: Extract<Block, { kind: 'samples' }>): Html {
  const [only] = samples
  const body =
    samples.length === 1 && only !== undefined
      ? html`<div class="samples one"><div class="panel">${samplePanel(only)}</div></div>`
      : html`<div class="samples" role="group" aria-label="${caption}, in ${samples.map(({ label }) => label).join(', ')}">${samples.map(
          ({ label }, index) =>
            html`<input type="radio" name="${id}" id="${id}-${index}"${index === 0 && html` checked`}><label for="${id}-${index}">${label}</label>`,
        )}${samples.map((sample) => html`<div class="panel">${samplePanel(sample)}</div>`)}</div>`
  return folded
    ? html`<details class="more"><summary>${caption}</summary>${body}</details>`
    : html`<p class="caption">${caption}</p>${body}`
}

function samplePanel({ label, language, text }: Sample): Html {
  return html`<p class="unseen">${label}</p>${codeBox(text, language, label)}`
}

const PRESENCE: Readonly<Record<Field['presence'], Html>> = {
  required: html`<b class="required">required</b>`,
  sometimes: html`<b class="required">sometimes required</b>`,
  optional: html`<span class="soft">optional</span>`,
  always: html``,
}

function fieldsHtml(label: string, fields: readonly Field[], markdown: MarkdownPrinter, depth = 0): Html {
  return html`<ul class="fields" aria-label="${label}">${fields.map((field) => fieldHtml(field, markdown, depth))}</ul>`
}

function fieldHtml(field: Field, markdown: MarkdownPrinter, depth: number): Html {
  const { inline } = markdown
  const type = field.typeLink ? inline(`[${field.type}](${field.typeLink})`) : html`${field.type}`
  return html`<li id="${field.id}"><p class="name"><code>${field.name}</code> <span class="soft">${type}</span> ${PRESENCE[field.presence]}</p>
${field.description !== '' && html`<p>${inline(field.description)}</p>`}
${field.facts.length > 0 && html`<p class="facts">${inline(sentence(field.facts))}</p>`}
${field.values.length > 0 && html`<p class="facts">${field.values.length > 1 ? 'One of ' : 'Always '}${field.values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`)}.</p>`}
${field.fields.length > 0 && html`<details${depth === 0 && field.presence !== 'always' && html` open`}><summary>Fields of <code>${field.name}</code></summary>${fieldsHtml(`Fields of ${field.name}`, field.fields, markdown, depth + 1)}</details>`}</li>`
}

export function sentence(facts: readonly string[]): string {
  const joined = facts.join('; ')
  return `${joined.charAt(0).toUpperCase()}${joined.slice(1)}.`
}
