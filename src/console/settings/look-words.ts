// The words of the page about the merchant's look.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  logo: {
    title: 'Logo',
    text: 'Va dentro de la página de pago: el navegador de quien paga no lo pide a ninguna otra parte.',
    file: 'Imagen',
    hint: 'PNG, JPG, GIF, WebP o SVG de máximo 4 KB. Cuadrada se ve mejor.',
    // Where there is a script.
    shrinkHint: 'Si es más pesada, la reducimos aquí mismo antes de enviarla.',
    wrong: 'Sube una imagen PNG, JPG, GIF, WebP o SVG de máximo 4 KB.',
    remove: 'Quitar el logo',
    none: 'Sin logo se muestra la inicial del comercio.',
  },
  accent: {
    title: 'Color',
    text: 'Es el de los botones y enlaces de tus páginas de pago.',
    field: 'Color',
    hint: 'Seis dígitos, como #0b5c4a. Vacío, el verde de Recaudo.',
    wrong: 'Escribe un # y seis dígitos de 0 a 9 o de a a f, como #0b5c4a.',
    pick: 'Elegir',
  },
  contrast: {
    title: 'Contraste',
    on: (scheme: string) => `Sobre fondo ${scheme}`,
    schemes: { light: 'claro', dark: 'oscuro' },
    asIs: (ratio: string) => `${ratio} a 1: se lee bien tal cual.`,
    moved: (ratio: string, used: string) =>
      `${ratio} a 1: se lee mal, así que ahí usamos ${used}, el más cercano que sí se lee.`,
  },
  preview: 'Ver cómo queda',
  previews: { light: 'Claro', dark: 'Oscuro' },
  sample: { amount: '$ 128.500', about: 'Pedido 2001' },
}

export type LookWords = typeof es

const en: LookWords = {
  logo: {
    title: 'Logo',
    text: 'It is part of the payment page: payers’ browsers ask nobody else for it.',
    file: 'Picture',
    hint: 'PNG, JPG, GIF, WebP or SVG of at most 4 KB. Square looks best.',
    shrinkHint: 'A larger one is made smaller right here before it is sent.',
    wrong: 'Upload a PNG, JPG, GIF, WebP or SVG picture of at most 4 KB.',
    remove: 'Take the logo away',
    none: 'Without a logo the initial of your name is shown.',
  },
  accent: {
    title: 'Colour',
    text: 'That of buttons and links on your payment pages.',
    field: 'Colour',
    hint: 'Six digits, such as #0b5c4a. Empty: the green of Recaudo.',
    wrong: 'Write a # and six digits from 0 to 9 or a to f, such as #0b5c4a.',
    pick: 'Pick',
  },
  contrast: {
    title: 'Contrast',
    on: (scheme) => `On a ${scheme} background`,
    schemes: { light: 'light', dark: 'dark' },
    asIs: (ratio) => `${ratio} to 1: easy to read as it is.`,
    moved: (ratio, used) =>
      `${ratio} to 1: hard to read, so we use ${used} there, the nearest that can be read.`,
  },
  preview: 'See how it looks',
  previews: { light: 'Light', dark: 'Dark' },
  sample: { amount: '$128,500', about: 'Order 2001' },
}

export const LOOK_WORDS: Readonly<Record<UserLanguage, LookWords>> = { es, en }
