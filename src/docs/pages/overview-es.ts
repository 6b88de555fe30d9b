// The first page in Spanish, section by section like the English one. What openapi.json says stays in English.

import { SCOPES } from '../../core/organizations/scope.ts'
import { heading, json, list, type Page, text } from '../print/block.ts'
import { exampleRefusal } from './errors.ts'
import { EXAMPLE_PAGE, firstCall, operationTables } from './overview.ts'
import { pagePath, type Setting } from './resource.ts'

export function overviewPageEs({ api, baseUrl, environment }: Setting, guides: readonly Page[]): Page {
  const isStaging = environment === 'staging'
  const [first] = guides.filter(({ language, section }) => language === 'es' && section === 'Guides')
  return {
    path: '/docs/es',
    title: 'La API de Recaudo',
    summary:
      'Recauda y envía plata en Colombia por Bre-B y PSE. Una sola API para cobros, dispersiones, enlaces de pago y sus eventos.',
    section: 'Start',
    language: 'es',
    translation: { language: 'en', path: '/docs' },
    blocks: [
      text(
        isStaging
          ? 'Este servidor es de **pruebas** (`staging`): las redes, los bancos y los pagadores son simulados, y no se mueve plata. Las llaves empiezan por `rk_stg_`.'
          : 'Este servidor es de **producción**: aquí se mueve plata. Las llaves empiezan por `rk_live_`.',
        'note',
      ),
      heading(2, 'Empieza aquí', 'begin'),
      list([
        ...(first === undefined ? [] : [`[${first.title}](${first.path}): ${first.summary}`]),
        '[Guías](/docs/guides/es): desde el primer cobro hasta operar tu propia instalación.',
        '[Eventos](/docs/event-types) (en inglés): cada evento y cuándo se envía.',
        '[Ciclos de vida](/docs/lifecycles) (en inglés): los estados de cobros, dispersiones y enlaces de pago, dibujados.',
        'Para programas: agrega `.md` a la dirección de una página y la recibes en Markdown. [llms.txt](/llms.txt) las lista todas y [llms-full.txt](/llms-full.txt) las contiene.',
      ]),
      {
        kind: 'split',
        text: [
          heading(2, 'Dirección base', 'base-address'),
          text(
            `Todas las direcciones de estas páginas empiezan por \`${baseUrl}\`. Los valores van en centavos enteros y las horas en UTC.`,
          ),
          text(
            'Pon tu llave en el ambiente y los ejemplos corren tal como están. Los de TypeScript usan `@recaudo/sdk` y también son JavaScript: en Node 20, guarda uno como `try.mjs`. La línea de comandos es `npx recaudo`, en la carpeta del servidor.',
          ),
          heading(2, 'Autenticación', 'authentication'),
          text(
            'Envía tu llave de API en el encabezado `x-api-key`. Las llaves son para servidores: nunca pongas una en una app ni en una página web.',
          ),
          text(
            `O pide un token de acceso con las credenciales de un cliente de OAuth 2.0 ([\`POST /oauth/token\`](${pagePath('Authentication')}#createAccessToken)) y envíalo como \`Authorization: Bearer …\`. Vale una hora; el SDK lo pide y lo renueva por ti.`,
          ),
          text(
            `Una credencial se puede limitar a ciertos permisos, y cada operación dice cuál necesita: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. Sin él, la solicitud se rechaza con [\`INSUFFICIENT_SCOPE\`](/docs/errors#INSUFFICIENT_SCOPE).`,
          ),
        ],
        code: [firstCall(baseUrl, 'Prueba tu llave', 'o con la línea de comandos')],
      },
      {
        kind: 'split',
        text: [
          heading(2, 'Idempotencia', 'idempotency'),
          text(
            'Envía `Idempotency-Key` con cada POST: hasta 255 caracteres que identifican la solicitud. Si repites la misma clave con el mismo cuerpo dentro de 30 días, recibes la primera respuesta con `Idempotent-Replayed: true` y nada se hace dos veces. La misma clave con otro cuerpo se rechaza con [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED). El SDK y la línea de comandos envían una con cada POST.',
          ),
          heading(2, 'Paginación', 'pagination'),
          text(
            'Las listas van de lo más nuevo a lo más viejo, de a diez por página; `pageSize` llega hasta 100. Envía `pageInfo.nextCursor` como `cursor` para la página siguiente. Un cursor conserva su lugar aunque lleguen datos nuevos, y solo sirve con los filtros con que se hizo. Los eventos se leen hacia adelante: envía en `after` el último `sequence` que tienes.',
          ),
        ],
        code: [json('Una página', EXAMPLE_PAGE)],
      },
      {
        kind: 'split',
        text: [
          heading(2, 'Errores', 'errors'),
          text(
            'Todo rechazo tiene el mismo cuerpo. Decide por `code`, que nunca cambia de nombre. `type` lleva a su párrafo en [Errores](/docs/errors), `errors` trae todos los campos con errores y con `requestId` se encuentra la solicitud en el registro del servicio. Ante 408, 429 y 5xx reintenta después de `Retry-After` segundos, con la misma `Idempotency-Key`.',
          ),
          heading(2, 'Versiones', 'versioning'),
          text(
            'Esta es la versión 1.0 de la API, y [openapi.json](/openapi.json) la describe completa. Dentro de esta versión solo agregamos operaciones, campos opcionales, eventos y códigos. Ignora los campos que no conozcas y trata un código desconocido por su estado HTTP. El servidor también ignora los campos que no conoce.',
          ),
        ],
        code: [json('Un rechazo', exampleRefusal(baseUrl))],
      },
      heading(2, 'Todas las operaciones', 'operations'),
      text('La referencia de cada operación está en inglés.'),
      { kind: 'foreign', language: 'en', blocks: operationTables(api, 'Address') },
    ],
  }
}
