// What the pages of the beneficiary book say.

import type { Verification } from '../../core/beneficiaries/beneficiary.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  list: 'Libreta',
  title: 'Libreta de beneficiarios',
  lead: 'De quién es cada llave. Una fila de un archivo que trae el documento y no la llave se paga a la de esta libreta.',
  create: 'Agregar a alguien',
  search: 'Nombre, documento, llave o correo',
  find: 'Buscar',
  clear: 'Ver toda la libreta',
  hidden: 'Tu rol ve a las personas ocultas, así que no puede buscarlas.',
  lookedUntil: 'Todavía hay personas por mirar.',
  lookOn: 'Seguir buscando',
  notFound: 'No está en la libreta',
  notFoundText: 'Escribe el nombre con palabras completas, o el documento, la llave o el correo enteros.',
  empty: {
    title: 'Aquí queda de quién es cada llave',
    text: 'Agrega a las personas y empresas a las que les pagas seguido. Consultamos la llave y la comparamos con el documento.',
  },
  next: 'Siguientes',
  first: 'Desde el principio',
  verified: 'Verificada',
  unverified: 'Sin verificar',
  verifiedBy: {
    DOCUMENT: 'El directorio nombró el mismo documento',
    MASKED_DOCUMENT: 'Coincide la parte del documento que muestra el directorio',
  } satisfies Record<Verification, string>,
  unverifiedText:
    'El directorio no dijo de quién es la llave cuando se guardó. Guárdala otra vez para consultarla de nuevo.',
  facts: {
    name: 'Nombre',
    document: 'Documento',
    key: 'Llave',
    email: 'Correo',
    verified: 'Verificada',
    how: 'Cómo',
    changed: 'Último cambio',
  },
  newTitle: 'Agregar a la libreta',
  newLead:
    'Consultamos la llave: si es de otra persona, no se guarda. Si el documento ya está, se reemplaza.',
  fields: {
    idType: 'Tipo de documento',
    idNumber: 'Número de documento',
    name: 'Nombre completo',
    key: 'Llave Bre-B',
    keyHint: 'Documento, celular, correo o una llave como @ana123.',
    email: 'Correo',
  },
  choose: 'Elige…',
  somebodyElse: 'El directorio dice que esta llave es de otro documento.',
  idWrong: 'Revisa el número: solo letras, números, puntos y guiones, y el dígito de verificación si es NIT.',
  save: 'Guardar',
  edit: {
    title: 'Cambiar',
    text: 'Los pagos que ya se hicieron quedan como están. El documento no cambia: para otro, agrega a otra persona.',
  },
  hiddenEdit: 'Para cambiarla, primero muestra los datos de la persona.',
  remove: {
    title: 'Quitar de la libreta',
    text: 'Los archivos que suban después deben traer la llave. Lo que ya se pagó no cambia.',
    submit: 'Quitar',
    sure: '¿Quitar a esta persona de la libreta?',
  },
}

const en: typeof es = {
  list: 'Book',
  title: 'Beneficiary book',
  lead: 'Whose key is which. A row of a file that names the document and no key is paid to the key of this book.',
  create: 'Add somebody',
  search: 'Name, document, key or e-mail',
  find: 'Search',
  clear: 'See the whole book',
  hidden: 'Your role sees people masked, so it cannot look for them.',
  lookedUntil: 'There are more people to look at.',
  lookOn: 'Look on',
  notFound: 'Not in the book',
  notFoundText: 'Write whole words of the name, or the whole document, key or e-mail address.',
  empty: {
    title: 'Whose key is which stays here',
    text: 'Add the people and businesses that you pay often. We look the key up and compare it with the document.',
  },
  next: 'Next',
  first: 'From the beginning',
  verified: 'Verified',
  unverified: 'Not verified',
  verifiedBy: {
    DOCUMENT: 'The directory named the same document',
    MASKED_DOCUMENT: 'The part of the document that the directory shows is the same',
  },
  unverifiedText:
    'The directory did not say whose key it is when it was saved. Save it again to look it up once more.',
  facts: {
    name: 'Name',
    document: 'Document',
    key: 'Key',
    email: 'E-mail',
    verified: 'Verified',
    how: 'How',
    changed: 'Last change',
  },
  newTitle: 'Add to the book',
  newLead:
    'We look the key up: if it is somebody else’s, it is not saved. If the document is there already, its entry is replaced.',
  fields: {
    idType: 'Document type',
    idNumber: 'Document number',
    name: 'Full name',
    key: 'Bre-B key',
    keyHint: 'A document, a phone number, an e-mail address, or a key such as @ana123.',
    email: 'E-mail',
  },
  choose: 'Choose…',
  somebodyElse: 'The directory says that this key belongs to another document.',
  idWrong: 'Check the number: letters, digits, dots and dashes only, and the check digit of a NIT.',
  save: 'Save',
  edit: {
    title: 'Change',
    text: 'Payouts that were made stay as they are. The document does not change: for another one, add another person.',
  },
  hiddenEdit: 'To change it, show the person’s data first.',
  remove: {
    title: 'Remove from the book',
    text: 'Files that are uploaded later must name the key. What was paid does not change.',
    submit: 'Remove',
    sure: 'Remove this person from the book?',
  },
}

export const BENEFICIARY_WORDS: Readonly<Record<UserLanguage, typeof es>> = { es, en }
