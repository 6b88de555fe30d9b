// The words of the frame around every page, of search results and of the 404 page, in both languages. The type makes a
// missing translation fail to compile.

import type { Language, Page } from './block.ts'

export type ResultKind = 'Page' | 'Guide' | 'Operation' | 'Field' | 'Error' | 'Event' | 'Section'

export type Words = {
  readonly language: Language
  readonly languageName: string
  readonly otherLanguage: string
  readonly skip: string
  readonly menu: string
  readonly pages: string
  readonly pagesInMenu: string
  readonly sections: Readonly<Record<Page['section'], string>>
  readonly search: string
  readonly searchLabel: string
  readonly searchAgain: string
  readonly searchFor: string
  readonly suggestions: string
  readonly before: string
  readonly next: string
  readonly neighbours: string
  readonly licence: string
  readonly inEnglish: string
  readonly table: string
  readonly code: string
  readonly notFound: { readonly title: string; readonly lead: string; readonly firstPage: string }
  readonly results: (count: number, isCut: boolean) => string
  readonly kinds: Readonly<Record<ResultKind, string>>
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    language: 'en',
    languageName: 'English',
    otherLanguage: 'Español',
    skip: 'Skip to the content',
    menu: 'Menu',
    pages: 'Pages',
    pagesInMenu: 'Pages, in the menu',
    sections: { Start: 'Start', Guides: 'Guides', 'API reference': 'API reference', 'In depth': 'In depth' },
    search: 'Search',
    searchLabel: 'Search the documentation',
    searchAgain: 'Search the documentation, again',
    searchFor: 'Search for',
    suggestions: 'Suggestions',
    before: 'Previous',
    next: 'Next',
    neighbours: 'Previous and next page',
    licence: 'Recaudo is free software under the Apache License 2.0.',
    inEnglish: '',
    table: 'Table',
    code: 'Code',
    notFound: {
      title: 'There is no such page',
      lead: 'It may have moved. Search for it, or start at ',
      firstPage: 'the first page',
    },
    results: (count, isCut) =>
      count === 0
        ? 'Nothing found'
        : `${isCut ? 'First ' : ''}${count} ${count === 1 ? 'result' : 'results'}`,
    kinds: {
      Page: 'Page',
      Guide: 'Guide',
      Operation: 'Operation',
      Field: 'Field',
      Error: 'Error',
      Event: 'Event',
      Section: 'Section',
    },
  },
  es: {
    language: 'es',
    languageName: 'Español',
    otherLanguage: 'English',
    skip: 'Ir al contenido',
    menu: 'Menú',
    pages: 'Páginas',
    pagesInMenu: 'Páginas, en el menú',
    sections: {
      Start: 'Inicio',
      Guides: 'Guías',
      'API reference': 'Referencia de la API',
      'In depth': 'A fondo',
    },
    search: 'Buscar',
    searchLabel: 'Buscar en la documentación',
    searchAgain: 'Buscar de nuevo en la documentación',
    searchFor: 'Qué buscas',
    suggestions: 'Sugerencias',
    before: 'Anterior',
    next: 'Siguiente',
    neighbours: 'Página anterior y siguiente',
    licence: 'Recaudo es software libre, con la licencia Apache 2.0.',
    inEnglish: 'Esta página está en inglés. Las guías y los errores están en español.',
    table: 'Tabla',
    code: 'Código',
    notFound: {
      title: 'Esta página no existe',
      lead: 'Puede que haya cambiado de lugar. Búscala, o empieza por ',
      firstPage: 'la primera página',
    },
    results: (count, isCut) =>
      count === 0
        ? 'No se encontró nada'
        : `${isCut ? 'Los primeros ' : ''}${count} ${count === 1 ? 'resultado' : 'resultados'}`,
    kinds: {
      Page: 'Página',
      Guide: 'Guía',
      Operation: 'Operación',
      Field: 'Campo',
      Error: 'Código de error',
      Event: 'Evento',
      Section: 'Sección',
    },
  },
}
