// The frame of every documentation page: head, search, navigation, content, footer. The style is inline and the same on
// every page, so that its hash in the policy is constant. Scripts are our own and only enhance the page.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { Environment } from '../open-api.ts'
import { flatten, type Language, type Page, SECTIONS } from './block.ts'
import { headingsOf } from './markdown.ts'
import { STYLE } from './style.ts'

export type Frame = {
  readonly pages: readonly Page[]
  readonly base: string
  readonly publicUrl: string
  readonly environment: Environment
}

type Content =
  | { readonly page: Page; readonly content: readonly Html[] }
  /** Search results and the 404 page, which are not in the page list. */
  | { readonly page?: undefined; readonly title: string; readonly content: Html }

export function renderPage(shown: Content, frame: Frame): string {
  const { base, environment } = frame
  const { page } = shown
  const language = page?.language ?? 'en'
  const title = page?.title ?? (shown as { title: string }).title
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Recaudo docs</title>
${page ? headLinks(page, base) : html`<meta name="robots" content="noindex">`}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
${page && html`<script type="module" src="${base}/docs/copy.js"></script>`}
${page && hasForms(page) && html`<script type="module" src="${base}/docs/playground.js"></script>`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header lang="en">
<p class="brand"><a href="${base}/docs">Recaudo <span>docs</span></a></p>
<details class="menu"><summary>Menu</summary><nav aria-label="Pages, in the menu">${navigation(page, language, frame, false)}</nav></details>
<p class="where"><b class="${environment}">${environment}</b> <code>${frame.publicUrl}</code></p>
<form class="search" role="search" action="${base}/docs/search"><label class="unseen" for="q">Search the documentation</label><input id="q" type="search" name="q" placeholder="Search" maxlength="100"><button type="submit">Search</button></form>
</header>
<div class="body">
<nav class="side" aria-label="Pages" lang="en">${navigation(page, language, frame, true)}</nav>
<main id="content" tabindex="-1">
${page ? pageContent(page, shown.content as readonly Html[], frame) : (shown.content as Html)}
</main>
</div>
<footer lang="en"><p>Recaudo is free software under the Apache License 2.0. <a href="${base}/openapi.json">openapi.json</a> · <a href="${base}/llms.txt">llms.txt</a></p></footer>
</body>
</html>`.html
}

function headLinks(page: Page, base: string): Html {
  const { translation, language, path } = page
  return html`<meta name="description" content="${page.summary.replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')}">
<link rel="alternate" type="text/markdown" href="${base}${path}.md">
${translation && html`<link rel="alternate" hreflang="${language}" href="${base}${path}"><link rel="alternate" hreflang="${translation.language}" href="${base}${translation.path}">`}`
}

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

function pageContent(page: Page, content: readonly Html[], { base, pages }: Frame): Html {
  const { translation } = page
  const isGuide = page.blocks[0]?.kind === 'markdown'
  const neighbours = pages.filter(
    ({ section, language }) => section === page.section && language === page.language,
  )
  const index = neighbours.indexOf(page)
  const before = index > 0 ? neighbours[index - 1] : undefined
  const after = index >= 0 ? neighbours[index + 1] : undefined
  return html`<article${isGuide && html` class="guide"`}>
<p class="kicker"><span>${page.section}</span>${translation && html` <a href="${base}${translation.path}" hreflang="${translation.language}" lang="${translation.language}">${LANGUAGE_NAMES[translation.language]}</a>`} <a href="${base}${page.path}.md" lang="en">Markdown</a></p>
<h1>${page.title}</h1>
${!isGuide && html`<p class="lead">${page.summary}</p>`}
${content}
</article>
${(before || after) && html`<nav class="neighbours" aria-label="Before and after this page" lang="en">${before && html`<a rel="prev" href="${base}${before.path}"><span>Before</span> <span lang="${before.language}">${before.title}</span></a>`}${after && html`<a rel="next" href="${base}${after.path}"><span>Next</span> <span lang="${after.language}">${after.title}</span></a>`}</nav>`}`
}

function navigation(
  page: Page | undefined,
  language: Language,
  { pages, base }: Frame,
  withHeadings: boolean,
): Html[] {
  // In the order of the English list, each page in the reader's language if it is translated.
  const inLanguage = (one: Page): Page =>
    pages.find(({ path }) => language !== 'en' && path === one.translation?.path) ?? one
  return SECTIONS.map((section) => {
    const entries = pages.filter((one) => one.section === section && one.language === 'en').map(inLanguage)
    if (page?.section === section && !entries.includes(page)) entries.push(page)
    return html`<p class="section">${section}</p><ul>${entries.map(
      (entry) =>
        html`<li><a href="${base}${entry.path}"${entry === page && html` aria-current="page"`} lang="${entry.language}">${entry.title}</a>${withHeadings && entry === page && onThisPage(entry)}</li>`,
    )}</ul>`
  })
}

// Long pages need their own table of contents.
function onThisPage(page: Page): Html {
  const headings = flatten(page.blocks).flatMap((block) =>
    block.kind === 'heading' && block.level === 2
      ? [{ id: block.id, text: block.text }]
      : block.kind === 'markdown'
        ? headingsOf(block.source).filter(({ level }) => level === 2)
        : [],
  )
  return html`<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}" lang="${page.language}">${text.replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')}</a></li>`)}</ul>`
}

export function hasForms(page: Page): boolean {
  return flatten(page.blocks).some(({ kind }) => kind === 'try')
}
