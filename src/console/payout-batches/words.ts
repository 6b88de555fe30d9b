// What the pages of batches say.

import type { BatchStatus, RowState } from '../../core/payout-batches/batch.ts'
import type { BatchColumn } from '../../core/payout-batches/columns.ts'
import type { RowProblemCode } from '../../core/payout-batches/row.ts'
import type { FileProblemCode } from '../../core/payout-batches/table.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  payouts: 'Pagos',
  list: 'Lotes',
  create: 'Subir un archivo',
  empty: 'Aquí quedan los archivos con los que le pagas a muchas personas a la vez.',
  title: 'Pagar desde un archivo',
  lead: 'Sube un CSV o un Excel con hasta 5.000 filas. Revisamos cada una y no se envía nada hasta que lo confirmes.',
  file: 'Archivo (.csv o .xlsx)',
  fileHint: 'Las columnas son las de la plantilla.',
  repeat: 'Es el mismo archivo de antes y quiero pagar otra vez',
  upload: 'Revisar el archivo',
  template: 'Plantilla',
  templates: { csv: 'Plantilla en CSV', xlsx: 'Plantilla en Excel' },
  computer: 'En un computador es más cómodo.',
  status: {
    CHECKING: 'Revisando llaves',
    DRAFT: 'Borrador',
    WAITING: 'Por aprobar',
    PROCESSING: 'Enviando',
    COMPLETED: 'Terminado',
    CANCELED: 'Cancelado',
  } satisfies Record<BatchStatus, string>,
  completedWithErrors: 'Terminado con fallas',
  states: {
    DRAFT: 'Lista',
    LEFT_OUT: 'Excluida',
    QUEUED: 'En cola',
    SENT: 'Enviada',
    REFUSED: 'No se envió',
  } satisfies Record<RowState, string>,
  facts: {
    rows: 'Filas',
    toSend: 'Por pagar',
    total: 'Total',
    errors: 'Con errores',
    warnings: 'Con avisos',
    unchecked: 'Llaves sin consultar',
    confirmed: 'Pagadas',
    failed: 'Fallidas',
    processing: 'En curso',
  },
  columns: {
    key: 'Llave',
    amount: 'Valor',
    reference: 'Referencia',
    name: 'Nombre',
    idType: 'Tipo de documento',
    idNumber: 'Documento',
    email: 'Correo',
  } satisfies Record<BatchColumn, string>,
  row: 'Fila',
  state: 'Estado',
  all: 'Todas',
  errors: 'Con errores',
  warnings: 'Con avisos',
  noRows: 'Ninguna fila.',
  next: 'Siguientes',
  first: 'Desde el principio',
  fix: 'Corregir',
  rowTitle: (row: number) => `Fila ${row}`,
  rowLead: 'Lo que dejes vacío queda como está.',
  save: 'Guardar la fila',
  leaveOut: 'Excluir la fila',
  takeIn: 'Incluir la fila',
  leaveOutErrors: (count: string) =>
    count === '1' ? 'Excluir la fila con errores' : `Excluir las ${count} filas con errores`,
  submit: (count: string, total: string) =>
    count === '1' ? `Enviar 1 pago por ${total}` : `Enviar ${count} pagos por ${total}`,
  acceptWarnings: (count: string) =>
    count === '1'
      ? 'Revisé el aviso de la fila y quiero pagarla así'
      : `Revisé los avisos de ${count} filas y quiero pagarlas así`,
  cannotSubmit: 'Corrige o excluye las filas con errores para poder enviar.',
  cancel: 'Cancelar el lote',
  check: 'Consultar las llaves que faltan',
  retry: 'Reintentar las fallidas',
  result: 'Descargar el resultado',
  retryOf: 'Reintenta el lote',
  seeErrors: (count: string) =>
    count === '1'
      ? 'Una fila tiene errores. Corrígela o exclúyela.'
      : `${count} filas tienen errores. Corrígelas o exclúyelas.`,
  keyChecks: {
    PENDING: 'por consultar',
    UNCHECKED: 'sin consultar',
    FOUND: 'existe',
    VERIFIED: 'verificada',
  },
  fromBook: 'de la libreta',
  duplicate: (of: string) => `Repite la fila ${of}.`,
  problems: {
    REQUIRED: 'Falta este dato.',
    WRONG_FORMAT: 'Revisa cómo está escrito.',
    TOO_LONG: 'Es demasiado largo.',
    FORMULA: 'Es una fórmula: escribe el valor.',
    AMOUNT_AMBIGUOUS: 'Puede leerse de dos maneras: escribe 1.250.000 o 1250000,50.',
    AMOUNT_NOT_POSITIVE: 'Debe ser mayor que cero.',
    AMOUNT_ABOVE_MAXIMUM: 'Supera lo que un pago por Bre-B puede llevar.',
    AMOUNT_NOT_CONNECTED: 'Ninguna conexión envía este valor.',
    KEY_INVALID: 'No es una llave Bre-B.',
    KEY_NOT_KNOWN: 'Falta la llave, y el documento no está en la libreta de beneficiarios.',
    KEY_NOT_FOUND: 'Esta llave no es de nadie.',
    KEY_SUSPENDED: 'Esta llave está suspendida.',
    KEY_NOT_LOOKED_UP: 'No se pudo consultar la llave todavía.',
    HOLDER_DOCUMENT_MISMATCH: 'La llave es de otro documento.',
    HOLDER_NAME_MISMATCH: 'La llave está a otro nombre.',
    HOLDER_NOT_CHECKED: 'No consultamos la llave: nadie ha visto de quién es.',
    DUPLICATE_IN_FILE: 'Se repite en el archivo.',
    DUPLICATE_IN_BATCH: 'Otro lote está por pagar lo mismo.',
    DUPLICATE_PAYOUT: 'Ya hay un pago igual en las últimas 24 horas.',
    PERSON_ERASED: 'Los datos de esta persona se borraron.',
  } satisfies Record<RowProblemCode, string>,
  fileProblems: {
    EMPTY_FILE: 'El archivo no tiene filas.',
    UNREADABLE_FILE:
      'No pudimos leer el archivo. Ábrelo en tu hoja de cálculo y guárdalo de nuevo como .xlsx o CSV, sin contraseña.',
    WRONG_ENCODING: 'El archivo no está en UTF-8 ni en Latin-1. Guárdalo como CSV UTF-8.',
    WRONG_LAYOUT: 'Las columnas no son las de la plantilla.',
    TOO_MANY_ROWS: 'Tiene más de 5.000 filas. Divídelo en varios archivos, o borra las líneas vacías.',
    TOO_MANY_CELLS:
      'Tiene demasiadas celdas o líneas vacías. Deja solo las columnas de la plantilla y borra las líneas vacías.',
    EXTRA_CELLS:
      'Una fila tiene más celdas que columnas. Si es un CSV, escribe los valores sin comas o entre comillas; si no, ponle nombre a la columna o borra la celda.',
    MERGED_CELLS: 'Tiene celdas combinadas. Sepáralas y súbelo otra vez.',
    FILE_TOO_LARGE:
      'Pesa demasiado: más de 4 MB, o de 750 KB si es un CSV. Divídelo en varios archivos, o guárdalo como .xlsx.',
  } satisfies Record<FileProblemCode, string>,
}

const en: typeof es = {
  payouts: 'Payouts',
  list: 'Batches',
  create: 'Upload a file',
  empty: 'Files by which you pay many people at once stay here.',
  title: 'Pay from a file',
  lead: 'Upload a CSV or an Excel workbook of up to 5,000 rows. We check each of them, and nothing is sent until you say so.',
  file: 'File (.csv or .xlsx)',
  fileHint: 'Its columns are those of the template.',
  repeat: 'It is the same file as before, and I want to pay once more',
  upload: 'Check the file',
  template: 'Template',
  templates: { csv: 'Template as CSV', xlsx: 'Template for Excel' },
  computer: 'A computer is more comfortable for this.',
  status: {
    CHECKING: 'Looking up keys',
    DRAFT: 'Draft',
    WAITING: 'To be approved',
    PROCESSING: 'Sending',
    COMPLETED: 'Completed',
    CANCELED: 'Canceled',
  },
  completedWithErrors: 'Completed with failures',
  states: { DRAFT: 'Ready', LEFT_OUT: 'Left out', QUEUED: 'Queued', SENT: 'Sent', REFUSED: 'Not sent' },
  facts: {
    rows: 'Rows',
    toSend: 'To pay',
    total: 'Total',
    errors: 'With errors',
    warnings: 'With warnings',
    unchecked: 'Keys not looked up',
    confirmed: 'Paid',
    failed: 'Failed',
    processing: 'Under way',
  },
  columns: {
    key: 'Key',
    amount: 'Amount',
    reference: 'Reference',
    name: 'Name',
    idType: 'Document type',
    idNumber: 'Document',
    email: 'E-mail',
  },
  row: 'Row',
  state: 'State',
  all: 'All',
  errors: 'With errors',
  warnings: 'With warnings',
  noRows: 'No rows.',
  next: 'Next',
  first: 'From the beginning',
  fix: 'Correct',
  rowTitle: (row) => `Row ${row}`,
  rowLead: 'What you leave empty stays as it is.',
  save: 'Save the row',
  leaveOut: 'Leave the row out',
  takeIn: 'Take the row in',
  leaveOutErrors: (count) =>
    count === '1' ? 'Leave the row with errors out' : `Leave the ${count} rows with errors out`,
  submit: (count, total) =>
    count === '1' ? `Send 1 payout of ${total}` : `Send ${count} payouts, ${total} in all`,
  acceptWarnings: (count) =>
    count === '1'
      ? 'I have read the warning of the row and want to pay it as it is'
      : `I have read the warnings of ${count} rows and want to pay them as they are`,
  cannotSubmit: 'Correct the rows with errors or leave them out, and you can send it.',
  cancel: 'Cancel the batch',
  check: 'Look up the missing keys',
  retry: 'Try the failed ones again',
  result: 'Download the result',
  retryOf: 'Tries again the batch',
  seeErrors: (count) =>
    count === '1'
      ? 'One row has errors. Correct it, or leave it out.'
      : `${count} rows have errors. Correct them, or leave them out.`,
  keyChecks: {
    PENDING: 'to be looked up',
    UNCHECKED: 'not looked up',
    FOUND: 'exists',
    VERIFIED: 'verified',
  },
  fromBook: 'from the book',
  duplicate: (of) => `Repeats row ${of}.`,
  problems: {
    REQUIRED: 'This is missing.',
    WRONG_FORMAT: 'Check how it is written.',
    TOO_LONG: 'It is too long.',
    FORMULA: 'It is a formula: write the value.',
    AMOUNT_AMBIGUOUS: 'It can be read in two ways: write 1.250.000 or 1250000,50.',
    AMOUNT_NOT_POSITIVE: 'It must be more than zero.',
    AMOUNT_ABOVE_MAXIMUM: 'It is more than one payout over Bre-B can carry.',
    AMOUNT_NOT_CONNECTED: 'No connection sends this amount.',
    KEY_INVALID: 'This is not a Bre-B key.',
    KEY_NOT_KNOWN: 'The key is missing, and the beneficiary book does not have the document.',
    KEY_NOT_FOUND: 'Nobody has this key.',
    KEY_SUSPENDED: 'This key is suspended.',
    KEY_NOT_LOOKED_UP: 'The key could not be looked up yet.',
    HOLDER_DOCUMENT_MISMATCH: 'The key belongs to another document.',
    HOLDER_NAME_MISMATCH: 'The key is in another name.',
    HOLDER_NOT_CHECKED: 'The key was not looked up: nobody has seen whose it is.',
    DUPLICATE_IN_FILE: 'It is in the file twice.',
    DUPLICATE_IN_BATCH: 'Another batch is about to pay the same.',
    DUPLICATE_PAYOUT: 'There is an equal payout of the last 24 hours.',
    PERSON_ERASED: 'This person’s data was erased.',
  },
  fileProblems: {
    EMPTY_FILE: 'The file has no rows.',
    UNREADABLE_FILE:
      'We could not read the file. Open it in your spreadsheet program and save it again as .xlsx or CSV, without a password.',
    WRONG_ENCODING: 'The file is neither in UTF-8 nor in Latin-1. Save it as CSV UTF-8.',
    WRONG_LAYOUT: 'Its columns are not those of the template.',
    TOO_MANY_ROWS: 'It has more than 5,000 rows. Split it into several files, or delete its empty lines.',
    TOO_MANY_CELLS:
      'It has too many cells or empty lines. Leave only the columns of the template, and delete the empty lines.',
    EXTRA_CELLS:
      'A row has more cells than columns. In a CSV, write amounts without commas or in quotation marks; otherwise name the column or empty the cell.',
    MERGED_CELLS: 'It has merged cells. Unmerge them and upload it again.',
    FILE_TOO_LARGE:
      'It is too large: more than 4 MB, or 750 KB as a CSV. Split it into several files, or save it as .xlsx.',
  },
}

export const BATCH_WORDS: Readonly<Record<UserLanguage, typeof es>> = { es, en }
