// The frame of every documentation page: head, search, navigation, content, footer. The style is inline and the same on
// every page, so that its hash in the policy is constant. Scripts are our own and only enhance the page.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { addressIn } from '../language.ts'
import type { Environment } from '../open-api.ts'
import { flatten, type Language, type Page, SECTIONS } from './block.ts'
import { headingsOf } from './markdown.ts'
import { STYLE } from './style.ts'
import { WORDS, type Words } from './words.ts'

export type Frame = {
  readonly pages: readonly Page[]
  readonly base: string
  readonly publicUrl: string
  readonly environment: Environment
}

type Content =
  | { readonly page: Page; readonly content: readonly Html[] }
  /** Search results and the 404 page, which are not in the page list. */
  | { readonly page?: undefined; readonly title: string; readonly path: string; readonly content: Html }

/** The language is the frame's. A page that has no translation stays in its own. */
export function renderPage(shown: Content, frame: Frame, language: Language): string {
  const { base, environment } = frame
  const { page } = shown
  const words = WORDS[language]
  const title = page?.title ?? (shown as { title: string }).title
  const searchAddress = `${base}${language === 'es' ? '/docs/es' : '/docs'}/search`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title${page && page.language !== language && html` lang="${page.language}"`}>${title} · Recaudo docs</title>
${page ? headLinks(page, base, language) : html`<meta name="robots" content="noindex">`}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
${page && html`<script type="module" src="${base}/docs/copy.js"></script><script type="module" src="${base}/docs/search.js"></script>`}
${page && hasForms(page) && html`<script type="module" src="${base}/docs/playground.js"></script>`}
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<p class="brand"><a href="${base}${language === 'es' ? '/docs/es' : '/docs'}">Recaudo <span>docs</span></a></p>
<details class="menu"><summary>${words.menu}</summary><nav aria-label="${words.pagesInMenu}">${navigation(page, words, frame, false)}</nav></details>
<p class="where"><b class="${environment}">${environment}</b> <code>${frame.publicUrl}</code></p>
<p class="language">${languageSwitch(shown, words, base)}</p>
<form class="search" role="search" action="${searchAddress}" data-index="${base}/docs/search-index.${language}.js"><label class="unseen" for="q">${words.searchLabel}</label><input id="q" type="search" name="q" placeholder="${words.search} ( / )" maxlength="100" autocomplete="off" data-suggestions="${words.suggestions}"><button type="submit">${words.search}</button></form>
</header>
<div class="body">
<nav class="side" aria-label="${words.pages}">${navigation(page, words, frame, true)}</nav>
<main id="content" tabindex="-1">
${page ? pageContent(page, shown.content as readonly Html[], frame, words) : (shown.content as Html)}
</main>
</div>
<footer><p>${words.licence} <a href="${base}/openapi.json">openapi.json</a> · <a href="${base}/llms.txt">llms.txt</a></p></footer>
</body>
</html>`.html
}

function headLinks(page: Page, base: string, frameLanguage: Language): Html {
  const { translation, language, path } = page
  const isForeign = language !== frameLanguage
  return html`<meta name="description"${isForeign && html` lang="${language}"`} content="${page.summary.replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')}">
<link rel="alternate" type="text/markdown" href="${base}${addressIn(page, frameLanguage)}.md">
${isForeign && html`<link rel="canonical" href="${base}${path}">`}
${translation && html`<link rel="alternate" hreflang="${language}" href="${base}${path}"><link rel="alternate" hreflang="${translation.language}" href="${base}${translation.path}">`}`
}

// To the same page in the other language. The query makes the server remember the choice.
function languageSwitch(shown: Content, { language, otherLanguage }: Words, base: string): Html {
  const other: Language = language === 'es' ? 'en' : 'es'
  const { page } = shown
  const address = page ? addressIn(page, other) : (shown as { path: string }).path
  const isTranslated = page !== undefined && (page.language === other || page.translation !== undefined)
  return html`<a href="${base}${address}?lang=${other}"${isTranslated && html` hreflang="${other}"`} lang="${other}">${otherLanguage}</a>`
}

function pageContent(page: Page, content: readonly Html[], { base, pages }: Frame, words: Words): Html {
  const isGuide = page.blocks[0]?.kind === 'markdown'
  const isForeign = page.language !== words.language
  const neighbours = pages.filter(
    ({ section, language }) => section === page.section && language === page.language,
  )
  const index = neighbours.indexOf(page)
  const before = index > 0 ? neighbours[index - 1] : undefined
  const after = index >= 0 ? neighbours[index + 1] : undefined
  const neighbour = (to: Page | undefined, rel: string, label: string) =>
    to &&
    html`<a rel="${rel}" href="${base}${addressIn(to, words.language)}"><span>${label}</span> <span lang="${to.language}">${to.title}</span></a>`
  return html`${isForeign && html`<p class="note">${words.inEnglish}</p>`}<article${isForeign && html` lang="${page.language}"`}${isGuide && html` class="guide"`}>
<p class="kicker"><span lang="${words.language}">${words.sections[page.section]}</span> <a href="${base}${addressIn(page, words.language)}.md" lang="en">Markdown</a></p>
<h1>${page.title}</h1>
${!isGuide && html`<p class="lead">${page.summary}</p>`}
${content}
</article>
${(before || after) && html`<nav class="neighbours" aria-label="${words.neighbours}">${neighbour(before, 'prev', words.before)}${neighbour(after, 'next', words.next)}</nav>`}`
}

function navigation(
  page: Page | undefined,
  { language, sections }: Words,
  { pages, base }: Frame,
  withHeadings: boolean,
): Html[] {
  // In the order of the English list, each page in the reader's language if it is translated.
  const inLanguage = (one: Page): Page =>
    pages.find(({ path }) => language !== 'en' && path === one.translation?.path) ?? one
  return SECTIONS.map((section) => {
    const entries = pages.filter((one) => one.section === section && one.language === 'en').map(inLanguage)
    if (page?.section === section && !entries.includes(page)) entries.push(page)
    return html`<p class="section">${sections[section]}</p><ul>${entries.map(
      (entry) =>
        html`<li><a href="${base}${addressIn(entry, language)}"${entry === page && html` aria-current="page"`}${entry.language !== language && html` lang="${entry.language}"`}>${entry.title}</a>${withHeadings && entry === page && onThisPage(entry)}</li>`,
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
