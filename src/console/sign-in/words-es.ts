// The words of the pages before somebody has signed in, in Colombian Spanish. The English ones have this type.

import { wordsOf } from '../../core/html.ts'
import { PASSWORD_LENGTH, type PasswordProblem } from '../../core/team/password.ts'
import type { CompanyProblem } from '../../flows/team/company-sign-in.ts'
import { withFullStop } from '../format.ts'

const minutes = (count: number): string => (count === 1 ? 'un minuto' : `${count} minutos`)

export const es = {
  title: 'Ingresar',
  heading: 'Ingresa a tu cuenta',
  withPasskey: 'Ingresar con llave de acceso',
  passkeyHint: 'Con tu huella, tu rostro o el PIN de tu equipo.',
  orPassword: 'o con tu contraseña',
  email: 'Correo',
  password: 'Contraseña',
  enter: 'Ingresar',
  noWay: '¿No puedes ingresar? Pide a quien administra el equipo que te dé un enlace nuevo.',
  passkeysElsewhere: 'Las llaves de acceso funcionan en esta dirección:',
  signedOut: 'Saliste de tu cuenta.',
  passkey: {
    canceled: 'No se usó ninguna llave de acceso. Intenta de nuevo, o usa tu contraseña.',
    known: 'Este equipo ya tiene una llave de acceso tuya.',
    failed: 'No se pudo usar la llave de acceso. Intenta de nuevo, o usa tu contraseña.',
  },
  problems: {
    WRONG: 'El correo o la contraseña no son correctos.',
    EXPIRED: 'Pasó demasiado tiempo. Empieza de nuevo.',
    BUSY: 'Hay muchas personas ingresando en este momento. Intenta de nuevo en unos segundos.',
    LOCKED: (count: number) =>
      `Hubo demasiados intentos fallidos. Espera ${minutes(count)} e intenta de nuevo. Con una llave de acceso puedes ingresar ya.`,
    passkey: 'Esa llave de acceso no sirvió. Intenta de nuevo, o usa tu contraseña.',
    code: 'Ese código no es correcto, o ya se usó. Espera el siguiente e intenta de nuevo.',
    recoveryCode: 'Ese código no es correcto, o ya se usó. Revisa cómo está escrito.',
  },
  company: {
    enter: 'Usar la cuenta de tu empresa',
    problems: wordsOf<CompanyProblem['problem']>({
      NOT_SET_UP: 'Aquí no se ingresa con la cuenta de la empresa.',
      UNAVAILABLE: 'El servicio de cuentas de tu empresa no responde. Intenta de nuevo en un momento.',
      EXPIRED: 'Pasó demasiado tiempo. Empieza de nuevo.',
      WRONG: 'Tu empresa no confirmó el ingreso. Intenta de nuevo.',
      UNKNOWN: 'Tu cuenta de la empresa todavía no tiene acceso aquí. Pide una invitación.',
    }),
  },
  second: {
    title: 'Segundo paso',
    heading: 'Escribe el código de tu aplicación',
    text: 'Abre la aplicación de autenticación de tu celular. El código cambia cada 30 segundos.',
    code: 'Código de 6 dígitos',
    enter: 'Continuar',
    byRecovery: 'No tengo mi celular: usar un código de recuperación',
    recoveryHeading: 'Escribe un código de recuperación',
    recoveryText: 'Es uno de los diez que guardaste al configurar la aplicación. Cada uno sirve una vez.',
    recoveryCode: 'Código de recuperación',
    byApp: 'Usar el código de la aplicación',
    restart: 'Ingresar con otra cuenta',
  },
  link: {
    title: 'Ingresar con un enlace',
    heading: (name: string) => `Hola, ${name}`,
    text: (email: string) => `Este enlace te deja ingresar una sola vez como ${email}.`,
    enter: 'Ingresar',
    overTitle: 'Este enlace ya no sirve',
    over: 'Ya se usó, o pasó demasiado tiempo. Pide uno nuevo a quien te lo envió.',
    toSignIn: 'Ir a ingresar',
  },
  invitation: {
    title: 'Invitación',
    heading: (organization: string) => `Únete a ${organization}`,
    text: (by: string, organization: string) => `${by} te invitó al equipo de ${organization} en Recaudo.`,
    role: 'Tu rol',
    email: 'Tu correo',
    until: 'Vence',
    name: 'Tu nombre',
    nameHint: 'Como lo verá tu equipo.',
    way: '¿Cómo vas a ingresar?',
    byPasskey: 'Con una llave de acceso',
    byPasskeyHint: 'Tu huella, tu rostro o el PIN de este equipo. Es lo más fácil y lo más seguro.',
    byPassword: 'Con una contraseña',
    byPasswordHint: 'Y un código de una aplicación de tu celular.',
    password: 'Contraseña nueva',
    passwordHint: `Mínimo ${PASSWORD_LENGTH.min} caracteres. Una frase que recuerdes es buena idea.`,
    accept: 'Aceptar la invitación',
    hasAccount: (email: string) => `Ya tienes una cuenta con ${email}. Ingresa para aceptar la invitación.`,
    signIn: 'Ingresar y aceptar',
    otherTitle: 'Esta invitación es para otra persona',
    other: (invited: string, you: string) =>
      `Es para ${invited}, y tú ingresaste como ${you}. Sal de tu cuenta para aceptarla como esa persona.`,
    signOut: 'Salir de mi cuenta',
    memberTitle: 'Ya haces parte del equipo',
    member: (organization: string) => withFullStop(`Tu cuenta ya pertenece a ${organization}`),
    open: 'Abrir la consola',
    overTitle: 'Esta invitación ya no sirve',
    over: 'Ya se usó, la retiraron, o pasaron más de tres días. Pide una nueva a quien te invitó.',
    problems: wordsOf<PasswordProblem | 'NAME'>({
      NAME: 'Escribe tu nombre, de hasta 100 caracteres.',
      TOO_SHORT: `Debe tener al menos ${PASSWORD_LENGTH.min} caracteres.`,
      TOO_LONG: `Debe tener máximo ${PASSWORD_LENGTH.max} caracteres.`,
      TOO_SIMPLE: 'Usa más caracteres diferentes.',
      IS_EMAIL: 'No puede ser tu correo.',
    }),
  },
  prove: {
    title: 'Confirma que eres tú',
    heading: 'Confirma que eres tú',
    text: 'Esto toca dinero o la forma de ingresar. Te lo pedimos de nuevo cada cinco minutos.',
    withPasskey: 'Confirmar con llave de acceso',
    orPassword: 'o con tu contraseña',
    orCode: 'o con un código',
    password: 'Contraseña',
    code: 'Código de tu aplicación, o un código de recuperación',
    confirm: 'Confirmar',
    cancel: 'Ahora no',
    wrongPassword: 'Esa contraseña no es correcta.',
    wrongCode: 'Ese código no es correcto, o ya se usó. Espera el siguiente e intenta de nuevo.',
  },
}

export type SignInWords = typeof es
