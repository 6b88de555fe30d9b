// Helpers to read the pages: the site as served, and every link and anchor of a page.

import { createSite, type Site, type SiteOptions } from '../../src/docs/site.ts'

export const PUBLIC_URL = 'http://127.0.0.1:4000'

export function site(options: Partial<SiteOptions> = {}): Site {
  return createSite({ publicUrl: PUBLIC_URL, environment: 'staging', ...options })
}

export function textAt(of: Site, path: string): string {
  const document = of.documentAt(path)
  if (document === undefined) throw new Error(`nothing at ${path}`)
  return document.text
}

export function idsIn(html: string): string[] {
  return [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => unescapeHtml(id as string))
}

export function linksIn(html: string): string[] {
  return [...html.matchAll(/<(?:a|link)\s[^>]*href="([^"]+)"/g)].map(([, href]) =>
    unescapeHtml(href as string),
  )
}

export function formsIn(html: string): string[] {
  return [...html.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, action]) => action as string)
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
