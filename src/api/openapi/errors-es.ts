// The error catalogue in Spanish, for the documentation. Answers of the API stay in English: programs read their codes. The
// types make a code without a translation fail to compile.

import type { FIELD_CODES, RefusalCode } from '../../core/refusal.ts'

export const REFUSALS_ES: Readonly<Record<RefusalCode, string>> = {
  INVALID_INPUT:
    'Faltan campos o hay campos con errores. `errors` trae cada uno con su ruta, hasta veinte; corrígelos todos y envía de nuevo.',
  INVALID_JSON:
    'El cuerpo no es un objeto JSON en UTF-8, está anidado demasiado, tiene más de 2.000 valores o una clave prohibida, como `__proto__`.',
  AMOUNT_ABOVE_MAXIMUM:
    'El valor supera lo que puede llevar un pago por este medio. Envía menos o usa otro medio.',
  RAIL_NOT_ENABLED:
    'Esta organización no tiene activo este medio. Actívalo en la configuración de la organización o usa otro.',
  AMOUNT_NOT_CONNECTED:
    'Ninguna conexión de esta organización recibe este valor. `detail` dice desde y hasta qué valor lo hacen: cambia el valor o los límites de una conexión.',
  RAIL_NOT_CONNECTED:
    'Esta instalación no tiene red propia para este medio, y la organización no tiene una conexión activa para él. Agrega una: `POST /connections`.',
  CONNECTION_IN_USE:
    'Hay pagos de esta conexión que siguen abiertos o esperan su liquidación. Desactívala (`enabled: false`) y bórrala cuando hayan terminado.',
  BALANCE_TOO_LOW:
    'El saldo tiene menos que eso. `detail` dice cuánto hay; lo reservado para dispersiones no se puede retirar.',
  TOO_MANY_CONNECTIONS: 'La organización ya tiene el máximo de conexiones. Borra una que no uses.',
  UNKNOWN_BANK: 'Ningún banco de PSE tiene este código. `GET /pse/banks` lista los códigos y sus alias.',
  KEY_INVALID:
    'Esto no es una llave de Bre-B de ninguna clase: documento, celular, correo, alfanumérica con `@` o código de comercio.',
  CURSOR_INVALID:
    'El cursor no lo hizo esta lista, fue alterado, es de otra organización o se usa con otros filtros. Empieza de nuevo sin cursor.',
  UNAUTHORIZED:
    'La solicitud no trae una credencial válida: falta, es desconocida, venció o fue revocada; o trae dos de organizaciones distintas.',
  INSUFFICIENT_SCOPE:
    'La credencial es válida, pero no tiene el permiso que pide esta operación. Usa otra llave, o crea una con ese permiso.',
  SCOPE_NOT_HELD:
    'A una llave o cliente solo se le puede dar lo que puede hacer quien lo da. Quita los permisos que no tienes, o pídeselo a quien los tenga.',
  CREDENTIAL_LIMITED:
    'Una llave o cliente con límites propios no puede crear, renovar ni cambiar otros, porque no tendrían sus límites. Usa otra, o la consola.',
  ADDRESS_NOT_ALLOWED:
    'La credencial es válida, pero no se puede usar desde la dirección de donde llegó la solicitud. Quien opera el servicio sabe desde dónde se puede.',
  NOT_FOUND: 'No existe nada con este id o en esta dirección para esta organización.',
  KEY_NOT_FOUND: 'No hay una cuenta registrada con esta llave de Bre-B, o la llave fue cancelada.',
  METHOD_NOT_ALLOWED:
    'La dirección existe, pero no con este método. El encabezado `Allow` dice cuáles acepta.',
  REQUEST_TIMEOUT: 'La solicitud no llegó completa a tiempo. Envíala de nuevo por otra conexión.',
  DUPLICATE_REFERENCE:
    'Ya existe un cobro con esta referencia. `errors` trae su id; usa una referencia nueva para un pago nuevo.',
  PAYIN_ALREADY_FINAL: 'El cobro ya terminó, y un estado final nunca cambia.',
  DAY_NOT_OVER: 'El día no ha terminado en Bogotá. Se puede cerrar después de la medianoche de allá.',
  SUSPENSE_DECIDED:
    'La plata ya se devolvió, se asignó, la reversaron o se contó, va de regreso, o también está contada en otra parte. `detail` dice cuál; no se hizo nada.',
  RETURN_REFUSED:
    'La red o el proveedor no devuelve esta plata. `detail` dice por qué; la plata sigue por identificar: págale tú a quien la envió, o asígnala.',
  ALARM_TAKEN: 'Otra persona ya tomó la alarma. `detail` dice quién y desde cuándo.',
  ALARM_RESOLVED: 'La alarma ya está resuelta y queda así. Si vuelve a pasar, se abre otra.',
  LINK_ALREADY_FINAL: 'El enlace de pago ya se pagó o venció, y un estado final nunca cambia.',
  PAGE_CLOSED: 'La página de pago está cerrada, y una página cerrada no se vuelve a abrir. Crea otra.',
  PAYOUT_NOT_CANCELABLE: 'La dispersión ya se entregó a la red o ya terminó: no se puede cancelar.',
  PAYIN_NOT_REFUNDABLE: 'Solo se devuelve la plata de un cobro confirmado. `detail` dice qué pasó con este.',
  REFUND_ABOVE_REMAINING:
    'La devolución es mayor que lo que queda del cobro. `detail` dice cuánto queda: lo que llegó, menos lo que se llevó su red y lo que tienen otras devoluciones.',
  REFUND_WAY_NOT_POSSIBLE:
    'El cobro no se puede devolver por esa vía. `detail` dice por qué; no mandes `way` y se usa la primera posible.',
  REFUND_NOT_CANCELABLE:
    'La plata de la devolución va en camino, o la devolución ya terminó: no se puede cancelar.',
  FILE_REFUSED:
    'El archivo no se puede leer como uno de dispersiones. `detail` nombra la causa y qué cambiar: otro formato o codificación, celdas combinadas, demasiadas filas. No se guardó nada.',
  BATCH_FILE_REPEATED:
    'El mismo archivo ya se entregó en los últimos 30 días. `detail` nombra su lote. Si de verdad hay que pagar otra vez a esas personas, envíalo con `repeat` en true.',
  BATCH_NOT_READY:
    'El lote todavía no puede dar este paso. `detail` dice qué falta: filas con errores, avisos sin aceptar, consultas de llaves en curso. No se envió nada.',
  BATCH_NOT_EDITABLE: 'El lote ya se envió, terminó o se canceló: no se puede cambiar ni enviar de nuevo.',
  KEY_OF_SOMEBODY_ELSE:
    'El directorio nombra otro documento para esta llave Bre-B. Pídele su llave a quien recibe.',
  KEY_NOT_VERIFIED:
    'La libreta tiene otra llave verificada para este documento, y ahora no se pudo ver de quién es la nueva. Inténtalo más tarde, o borra antes lo que está en la libreta. Nada cambió.',
  BATCH_CHANGED: 'Alguien cambió el lote después de que lo leíste. Léelo otra vez y decide de nuevo.',
  TOO_MANY_ENDPOINTS:
    'La organización ya tiene todos los endpoints de webhook que puede tener. Borra uno o cambia uno que exista.',
  ENDPOINT_DISABLED:
    'El endpoint de webhook está apagado y no se le envía nada. Primero actívalo: `PATCH /webhook-endpoints/{endpointId}` con `status` `ENABLED`.',
  ENDPOINT_NOT_VERIFIED:
    'El receptor no ha demostrado que tiene el secreto de este endpoint de webhook. Debe responder 2xx a una solicitud firmada con él y 400 a una que no; después, `POST /webhook-endpoints/{endpointId}/verify`.',
  CREDENTIAL_ENDED: 'La llave o el cliente fue revocado o venció, y así se queda. Crea otro.',
  TOO_MANY_CREDENTIALS:
    'La organización ya tiene el máximo de llaves de API o de clientes que funcionan. Revoca uno que nadie use.',
  IDEMPOTENCY_KEY_IN_USE:
    'La primera solicitud con esta `Idempotency-Key` todavía está en curso. Espera lo que dice `Retry-After` y envía lo mismo de nuevo.',
  SIMULATION_REFUSED:
    'Solo en pruebas: la red simulada no puede producir este resultado, porque el pago ya terminó o todavía no llegó allá.',
  ROLE_NOT_GRANTABLE:
    'Un rol solo lo da, lo cambia o lo quita quien tiene todos sus permisos, y el de dueño solo otro dueño; una llave nunca. `detail` dice qué falta.',
  LAST_OWNER:
    'La organización no tiene otro dueño. Primero haz dueño a alguien más: `PATCH /team/members/{userId}`.',
  ALREADY_A_MEMBER: 'Alguien con este correo ya es de la organización.',
  PERSON_REQUIRED:
    'Las aprobaciones las deciden personas en la consola. Una llave o un cliente las puede leer, y nunca aprobar ni rechazar.',
  APPROVAL_OWN:
    'Quien pide algo no lo puede aprobar ni rechazar, sea cual sea su rol. Debe decidir otra persona.',
  APPROVAL_PROOF_WRONG:
    'Lo enviado no demuestra que es esta persona: la llave de acceso no firmó esta aprobación, o el código de la aplicación está mal, ya se usó o falta. Intenta de nuevo.',
  APPROVAL_DECIDED_BEFORE:
    'Esta persona ya decidió sobre esta aprobación. Si pide dos, la otra debe ser alguien más.',
  APPROVAL_ENDED:
    'La aprobación ya fue aprobada, rechazada o anulada, y así queda. Cada una se usa una vez: lo que falte se pide de nuevo.',
  APPROVAL_LAPSED: 'Nadie decidió en siete días. Lo que estaba reservado quedó libre; pídelo de nuevo.',
  APPROVAL_STALE:
    'Lo que se va a aprobar no es lo que se leyó: `digest` es otro, o cambió mientras tanto. Léelo de nuevo con `GET /approvals/{approvalId}`.',
  APPROVAL_REQUIRED:
    'Las reglas de la organización le preguntan primero a otras personas. Quedó pedido, y `errors` trae el id de la aprobación que espera. La conexión cambia cuando la aprueben; para una llave, un cliente o una devolución de dinero sin identificar, envía entonces la misma petición otra vez, dentro de siete días.',
  TOO_FEW_APPROVERS:
    'Las reglas piden más personas de las que pueden aprobar. `detail` dice cuántas faltan: da a más gente del equipo un rol que apruebe, o pide menos.',
  TEAM_TOO_LARGE:
    'La organización ya tiene el máximo de miembros e invitaciones abiertas. Quita a alguien o revoca una invitación.',
  TOO_MANY_INVITATIONS:
    'La organización ya hizo el máximo de invitaciones de un día. Espera lo que dice `Retry-After`.',
  BODY_TOO_LARGE: 'El cuerpo pesa más de 64 KiB, o un archivo de dispersiones más de 4 MB.',
  UNSUPPORTED_MEDIA_TYPE: 'El cuerpo debe ir como `content-type: application/json`, en UTF-8.',
  IDEMPOTENCY_KEY_REUSED:
    'Esta `Idempotency-Key` ya se usó con otra solicitud. Usa una clave nueva para una solicitud nueva.',
  KEY_SUSPENDED: 'La llave de Bre-B existe, pero está suspendida: pídele otra a quien recibe.',
  KEY_NOT_LOOKED_UP:
    'Esta organización solo paga a llaves que consultó en los últimos 30 minutos: consulta la llave y luego crea la dispersión.',
  PAYOUT_LIMIT_REACHED:
    'La dispersión pasaría lo que esta credencial u organización puede pagar en un día de Bogotá. `detail` dice cuál límite, cuánto queda y cuándo empieza el otro día; `Retry-After` también. No se envió nada.',
  QUIET_HOURS:
    'La organización no paga nada a esta hora. `detail` dice cuándo terminan las horas de silencio; `Retry-After` también. No se envió nada.',
  RATE_LIMITED:
    'Esta credencial u organización envió más solicitudes que su límite, o tu dirección envió demasiadas sin una credencial válida o tiene demasiadas conexiones abiertas. Espera lo que dice `Retry-After`.',
  TOO_MANY_STREAMS:
    'Esta organización ya escucha todos los flujos de eventos que puede a la vez. Cierra uno, o escucha con uno solo para varios lectores.',
  HEADERS_TOO_LARGE: 'La línea de la solicitud y los encabezados pesan juntos más de 16 KiB.',
  INTERNAL_ERROR:
    'Algo se dañó de nuestro lado. No lo causó lo que enviaste; dinos el `requestId`. Puedes enviar de nuevo sin riesgo con la misma `Idempotency-Key`.',
  OVERLOADED:
    'Hay más solicitudes en espera de las que el servicio puede tener. No se hizo nada; espera lo que dice `Retry-After` y envía lo mismo de nuevo.',
  DIRECTORY_UNAVAILABLE:
    'En este momento no se puede llegar al directorio de Bre-B. Intenta de nuevo como dice `Retry-After`.',
  DIRECTORY_TIMEOUT:
    'El directorio de Bre-B no respondió a tiempo. Intenta de nuevo como dice `Retry-After`.',
  PROVIDER_UNAVAILABLE:
    'En este momento no se puede consultar al proveedor de esta conexión. `detail` dice por qué, y `POST /connections/{connectionId}/test` dice más. Intenta de nuevo como dice `Retry-After`.',
  STORE_UNAVAILABLE:
    'En este momento no se puede llegar a la base de datos. Envía lo mismo de nuevo como dice `Retry-After`, con la misma `Idempotency-Key`.',
}

export const FIELD_CODES_ES: Readonly<Record<keyof typeof FIELD_CODES, string>> = {
  REQUIRED: 'Falta el campo.',
  WRONG_TYPE: 'El valor es de otro tipo de JSON que el que recibe el campo.',
  OUT_OF_RANGE: 'El número es menor o mayor de lo que recibe el campo.',
  WRONG_LENGTH: 'El texto es más corto o más largo de lo que recibe el campo.',
  WRONG_FORMAT: 'El texto no tiene la forma que recibe el campo.',
  NOT_ALLOWED: 'El valor no es ninguno de los que recibe el campo.',
}

export const REMEDIES_ES = {
  correct: 'Corrige la solicitud; si envías lo mismo, se rechaza otra vez.',
  credential: 'Envía otra credencial.',
  inspect: 'Primero mira cómo está todo; si envías lo mismo, se rechaza otra vez.',
  later: 'Envía lo mismo más tarde, con la misma `Idempotency-Key`.',
} as const

/** The same points as in English, one by one. */
export const ERROR_NOTES_ES: readonly string[] = [
  'Decide por `code`: nunca cambia de nombre. `title`, `detail` y `message` son para personas y pueden cambiar.',
  '`type` es la dirección del párrafo de este código en la documentación que sirve el mismo servicio.',
  '`requestId` viene también en el encabezado `x-request-id`, y con él se encuentra la solicitud en el registro del servicio.',
  '`errors` trae de una vez todos los campos con errores. `path` es un puntero JSON dentro del cuerpo, o el nombre de un parámetro de la consulta después de una barra. `code` es uno de los [códigos de un campo](#field-codes), o un código de esta página si la regla del campo tiene nombre propio.',
  'Cuando sirve esperar, el encabezado `Retry-After` dice cuántos segundos.',
  '`POST /oauth/token` agrega los miembros `error` y `error_description` de RFC 6749.',
]
export const UNCHANGED_ES =
  'Una solicitud rechazada no cambió nada, con dos excepciones: después de `INTERNAL_ERROR` y `STORE_UNAVAILABLE`, igual que cuando no llegó ninguna respuesta, puede haber tenido efecto. Envíala de nuevo con la misma `Idempotency-Key` para saberlo.'
export const INTRODUCTION_ES =
  'Todo rechazo tiene el mismo cuerpo, como `application/json`, venga de donde venga:'
