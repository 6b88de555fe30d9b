// The words of the frame and of what all pages share, in Colombian Spanish. The English ones have this type, so a missing one does
// not compile. The words of a page stand beside it.

import type { Scope } from '../../core/organizations/scope.ts'
import type { Role } from '../../core/team/role.ts'

export const es = {
  locale: 'es-CO',
  product: 'Recaudo',
  skip: 'Ir al contenido',
  ribbon: 'Modo de prueba: ningún peso es real',
  navigation: 'Secciones',
  more: 'Más',
  menu: 'Menú',
  close: 'Cerrar',
  sections: {
    home: 'Inicio',
    payins: 'Cobros',
    payouts: 'Pagos',
    links: 'Enlaces',
    events: 'Eventos',
    webhooks: 'Webhooks',
    alarms: 'Alarmas',
    settings: 'Ajustes',
    sandbox: 'Pruebas',
  },
  find: 'Buscar',
  findHint: 'Referencia, CUS, llave, documento, correo, nombre, valor…',
  organization: 'Comercio',
  changeOrganization: 'Cambiar de comercio',
  account: 'Mi cuenta',
  signOut: 'Salir',
  theme: 'Colores',
  themes: { auto: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  keyboard: 'Atajos de teclado',
  copy: 'Copiar',
  copied: 'Copiado',
  show: 'Ver',
  back: 'Volver',
  bogotaTime: 'Hora de Colombia',
  none: 'Ninguno',
  yes: 'Sí',
  no: 'No',
  roles: {
    owner: 'Dueño',
    administrator: 'Administrador',
    preparer: 'Preparador',
    approver: 'Aprobador',
    support: 'Soporte',
    accountant: 'Contador',
    developer: 'Desarrollador',
  } as Record<Role, string>,
  // Completes "You may not …".
  rights: {
    'payins:read': 'ver cobros',
    'payins:write': 'crear y cancelar cobros',
    'payouts:read': 'ver pagos',
    'payouts:write': 'crear y cancelar pagos',
    'links:read': 'ver enlaces de pago',
    'links:write': 'crear y vencer enlaces de pago',
    'keys:read': 'consultar llaves Bre-B',
    'ledger:read': 'ver saldos y movimientos',
    'events:read': 'ver eventos',
    'webhooks:read': 'ver webhooks',
    'webhooks:write': 'configurar y reenviar webhooks',
    'connections:read': 'ver conexiones',
    'connections:write': 'configurar conexiones',
    'organization:read': 'ver los datos del comercio',
    'organization:write': 'cambiar los datos del comercio',
    'team:read': 'ver el equipo',
    'team:write': 'administrar el equipo',
    'credentials:read': 'ver llaves de API y clientes',
    'credentials:write': 'administrar llaves de API y clientes',
    'audit:read': 'ver el registro de auditoría',
    'sandbox:write': 'usar el simulador',
  } as Record<Scope, string>,
  and: 'y',
  or: 'o',
  form: {
    problems: (count: number) =>
      count === 1 ? 'Hay un dato por corregir' : `Hay ${count} datos por corregir`,
    refused: 'No se hizo',
    optional: 'opcional',
    cancel: 'Cancelar',
    asCurl: 'La misma llamada con curl',
    asCurlHint: 'Todo lo que se hace aquí también se puede hacer con la API.',
    refreshCurl: 'Actualizar con lo escrito',
    lacks: (right: string, roles: string) => `Para ${right} necesitas el rol ${roles}.`,
    changedMeanwhile: 'Alguien cambió esto mientras lo editabas',
    sendAgain: 'Revisa y envía de nuevo si aún quieres tu cambio.',
  },
  problem: {
    missing: {
      title: 'No encontramos esta página',
      text: 'La dirección no existe, o es de otro comercio. Revisa que esté completa.',
    },
    lacking: {
      title: 'Te falta un permiso',
      text: (right: string, role: string) => `Tu rol (${role}) no permite ${right}.`,
      who: (roles: string) => `Lo permiten los roles ${roles}. Pídeselo a quien administra el equipo.`,
    },
    foreign: {
      title: 'No se hizo nada',
      text: 'Esta orden no vino de la consola. Abre la página de nuevo y repítela.',
    },
    broken: {
      title: 'Algo falló de nuestro lado',
      text: 'No se perdió nada. Intenta de nuevo en un momento.',
      request: 'Número de la solicitud',
    },
    tooFast: {
      title: 'Demasiadas solicitudes',
      text: (seconds: number) =>
        `Espera ${seconds === 1 ? 'un segundo' : `${seconds} segundos`} e intenta de nuevo.`,
    },
    unreadable: {
      title: 'No pudimos leer lo que llegó',
      text: 'La página estaba vieja, o el envío quedó incompleto. Ábrela de nuevo.',
    },
    home: 'Ir al inicio',
  },
  done: {
    default: 'Listo.',
  } as Record<string, string> & { default: string },
}

export type Words = typeof es
