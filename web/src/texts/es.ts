// Todas las palabras de la página en español. Every word of the page in Spanish.

import type { Texts } from './type';

const TYPE_INSTEAD = 'Mientras tanto, escribe los códigos abajo o usa un lector de mano.';

export const es: Texts = {
  name: 'Español',
  locale: 'es-ES',

  title: (event) => `${event} · puerta`,
  opening: 'Abriendo la puerta…',
  codeEnding: (ending) => `Código terminado en ${ending}`,
  close: 'Cerrar',
  openTheDoor: 'Abrir la puerta',
  tryAgain: 'Probar otra vez',
  reload: 'Recargar la página',
  scans: (count, isOne) => `${count} ${isOne ? 'lectura' : 'lecturas'}`,

  welcome: {
    title: 'Valida entradas en la puerta',
    lead: 'Abre el enlace de puerta que te envió el organizador o pégalo aquí.',
    field: 'Enlace de puerta',
    notALink: 'Eso no es un enlace de puerta. Copia el enlace entero del mensaje que recibiste.',
  },

  goOn: (event, label) => `Seguir con ${event} · ${label}`,

  trouble: {
    noConnection: 'Sin conexión',
    findASignal: 'No se puede conectar con el servidor. Busca mejor cobertura y prueba otra vez.',
    tooManyTries: 'Demasiados intentos. Espera un momento.',
    waitSeconds: (seconds, isOne) => `Demasiados intentos. Espera ${seconds} ${isOne ? 'segundo' : 'segundos'} y prueba otra vez.`,
    waitMinutes: (minutes) => `Demasiados intentos. Espera ${minutes} minutos y prueba otra vez.`,
    otherTab: 'Cierra las otras pestañas',
    otherTabAdvice: 'Otra pestaña tiene abierta una versión anterior de esta página. Ciérrala y esta se abrirá sola.',
    lostDatabase: 'El navegador ha cerrado lo que esta página tenía abierto. No se pierde nada: recárgala para seguir.',
    noStorage: 'Este navegador no puede guardar lo necesario',
    noStorageAdvice:
      'Puede que no tenga espacio o que no deje guardar nada. Abre el enlace en una ventana normal, no en una privada.',
  },

  pin: {
    title: 'Esta puerta tiene un PIN',
    lead: 'Quien te envió el enlace lo sabe.',
    field: 'PIN',
    missing: 'Escribe primero el PIN.',
    wrong: 'Ese no es el PIN. Prueba otra vez.',
  },

  refused: {
    title: 'Este enlace ya no funciona',
    neverWorked: 'Este enlace no funciona',
    neverWorkedLead: 'Está incompleto, ha caducado o se retiró. Copia otra vez el enlace entero o pide uno nuevo.',
    lead: 'Pídele uno nuevo al organizador.',
    waiting: (scans, isOne) =>
      `${scans} ${isOne ? 'sigue' : 'siguen'} sin enviar en este teléfono. ` +
      'No se pierde nada: abre un enlace nuevo del mismo evento para enviar lo que espera.',
    otherLink: 'Abrir otro enlace',
  },

  list: {
    none: 'Aún sin lista para trabajar sin conexión: busca cobertura primero',
    part: (codes, all) => `Solo una parte de la lista: ${codes} de unos ${all}. Busca cobertura para el resto`,
    loading: (codes, all) => `Cargando la lista para trabajar sin conexión: ${codes} de unos ${all}`,
    ready: (codes, time) => `Listo para trabajar sin conexión: ${codes} códigos, actualizados: ${time}`,
    pageMissing: (codes: string, time: string) =>
      `${codes} códigos, actualizada ${time}, pero la página misma aún no está en este teléfono. No la cierres ni la recargues sin señal`,
    onlineOnly:
      'Solo con conexión: este navegador no guarda nada de la página, así que hace falta señal. ' +
      'Puede ser una ventana privada, o no queda espacio.',
    shortNone: 'Aún sin lista',
    shortOnlineOnly: 'Solo con conexión',
    shortPageMissing: 'Página sin guardar',
    shortPart: (share) => `Lista ${share}`,
    short: (codes, time) => `${codes} · ${time}`,
  },

  start: {
    brand: 'Taquilla · puerta',
    station: 'Estás en',
    button: 'Empezar',
    noSignal: 'Sin conexión: este teléfono decide con su lista.',
    noSignalOnlineOnly: 'Sin señal, y este teléfono la necesita para decidir.',
  },

  scanning: {
    camera: 'Imagen de la cámara',
    online: 'Con conexión',
    offline: 'Sin conexión',
    station: 'Puesto: ',
    waiting: 'por enviar',
    conflicts: 'por revisar',
    hint: 'Apunta al código',
    several: 'Hay varios códigos a la vista. Enseña solo uno.',
    wayOut: 'Leyendo salidas',
    wholeEvent: 'Evento',
    nearlyFull: (zone, people, limit) => `${zone}: casi lleno, ${people} de ${limit} dentro.`,
    over: (zone, people, limit) => `${zone}: aforo superado, ${people} dentro y ${limit} como mucho.`,
    checking: 'Comprobando…',
    retryCamera: 'Probar otra vez la cámara',
    torch: 'Luz',
    switchCamera: 'Otra cámara',
    here: 'aquí',
    entered: 'dentro',
    toCome: 'por llegar',
    code: 'Código de la entrada',
    typeACode: 'Código',
    check: 'Validar',
  },

  camera: {
    insecure: {
      title: 'La cámara necesita https',
      advice: `Abre el enlace con https al principio. ${TYPE_INSTEAD}`,
    },
    none: {
      title: 'No hay cámara',
      advice: 'Escribe los códigos abajo o usa un lector de mano.',
    },
    refused: {
      title: 'Falta el permiso de la cámara',
      advice: `Permite que esta página use la cámara en los ajustes del navegador y prueba otra vez. ${TYPE_INSTEAD}`,
    },
    unreadable: {
      title: 'La cámara todavía no puede leer códigos',
      advice: `Busca mejor cobertura y prueba otra vez. ${TYPE_INSTEAD}`,
    },
    busy: {
      title: 'La cámara no responde',
      advice: `Quizá la usa otra aplicación. Ciérrala y prueba otra vez. ${TYPE_INSTEAD}`,
    },
  },

  verdict: {
    next: 'Siguiente',
    offline: 'Sin conexión · decide este teléfono',
    admitted: 'Adelante',
    alreadyScanned: 'Ya se usó',
    alreadyScannedBefore: 'Alguien ya ha entrado con esta entrada.',
    firstScan: (time, station) => `Leída por primera vez: ${time}${station === '' ? '' : ` · ${station}`}`,
    letInHere: (seconds, isOne) => `Entró aquí hace ${seconds} ${isOne ? 'segundo' : 'segundos'}.`,
    transferred: 'Traspasada',
    transferredAdvice: 'Se traspasó a otra persona. Pide la entrada nueva.',
    cancelled: 'Anulada',
    cancelledAdvice: 'Esta entrada se anuló. El organizador puede decir por qué.',
    refunded: 'Reembolsada',
    refundedAdvice: 'Se devolvió el dinero de esta entrada, así que ya no vale.',
    wrongLayout:
      'El lector de mano y este dispositivo no tienen la misma distribución de teclado. ' +
      'Configura el lector en el idioma de este dispositivo, o el teclado del dispositivo en inglés de EE. UU.',
    doubtfulLayout:
      'Si lo ha leído un lector de mano, revisa su distribución de teclado: puede estar en un idioma distinto al de este dispositivo.',
    unknown: 'No es una entrada',
    unknownAdvice: 'Nadie conoce este código. Pide que te enseñen la entrada.',
    wrongEvent: 'Otro evento',
    wrongEventAdvice: (event) => `Esta entrada es para ${event === '' ? 'otra cosa' : event}.`,
    notHere: 'No es aquí',
    notHereAdvice: 'La entrada es buena, pero se valida en otro puesto.',
    turnedAway: 'Rechazada',
    turnedAwayAdvice: 'A esta persona ya se le negó el paso antes.',
    reentered: 'Puede volver a entrar',
    reenteredAdvice: 'Había salido.',
    wentOut: 'Sale',
    wentOutAdvice: 'Puede volver a entrar.',
    notInside: 'No está dentro',
    notInsideAdvice: 'No hay nadie dentro con esta entrada: no ha entrado o ya ha salido.',
    noReentry: 'No podrá volver a entrar',
    noReentryAdvice: 'Quien sale con esta entrada no puede volver a entrar. Avísale antes de que salga.',
    entryUndone: 'Acceso deshecho',
    entryUndoneAdvice: 'La entrada vuelve a ser válida.',
    notOnList: 'No está en la lista',
    notOnListAdvice: (time) =>
      `No está en la lista de este teléfono (actualizada: ${time}). ` +
      'Una entrada vendida después se conocerá cuando vuelva la cobertura.',
    noList: 'Aún sin lista',
    noListAdvice: 'Este teléfono aún no tiene la lista, así que no puede decidir solo. Busca cobertura primero.',
    linkEnded: 'Enlace caducado',
    linkEndedAdvice: (time) => `Este enlace caducó: ${time}. Pide uno nuevo.`,
    tooLong: 'No es una entrada',
    tooLongAdvice: 'Eso no es un código de entrada: es demasiado largo.',
    failed: 'Prueba otra vez',
    notes: 'Notas para la puerta',
    notNow: 'Ahora no',
    notNowAdvice: 'No se ha escrito nada.',
    group: (entered, of) => `${entered} de ${of} del mismo pedido`,
    notWritten: 'Este teléfono no pudo guardar la lectura, así que no se decidió nada. Libera espacio.',
    onlineOnly: 'Este navegador no guarda nada de la página, así que este teléfono solo decide con señal. Búscala y prueba otra vez.',
    offlineNeedsHttps: 'Esta página solo puede decidir sin cobertura si su dirección empieza por https.',
    other: 'Todavía no',
    otherAdvice: (outcome) =>
      `No le dejes pasar aún: el servidor dice «${outcome}», que esta página no conoce. Pregunta a tu responsable.`,
  },

  scanErrors: {
    invalid_body: 'El servidor no puede leer este código.',
    scan_id_reused: 'Se han mezclado dos lecturas. Léelo otra vez.',
    body_too_large: 'Eso no es un código de entrada: es demasiado largo.',
  },

  /** Why an entry was not undone, by the code of the error. */
  undoErrors: {
    not_allowed_by_link: 'Este enlace no puede deshacer accesos.',
    not_found: 'El servidor aún no conoce este acceso. Si está por enviar, inténtalo después.',
    ticket_valid: 'Nadie está dentro con esta entrada: el acceso ya se había deshecho.',
    ticket_cancelled: 'La entrada se ha anulado mientras tanto.',
    ticket_refunded: 'La entrada se ha reembolsado mientras tanto.',
    changed_meanwhile: 'Alguien ha entrado después con esta entrada. Deshaz ese otro acceso.',
  },

  history: {
    open: 'Últimas lecturas',
    title: 'Últimas lecturas de este teléfono',
    empty: 'En este teléfono aún no se ha leído nada.',
    offline: 'sin conexión',
    byName: 'por nombre',
    undo: 'Deshacer el acceso',
    undoSure: 'Toca otra vez para deshacer',
    undoOf: (name: string) => `Deshacer el acceso de ${name}`,
    undone: 'deshecho',
    undoing: 'Deshaciendo…',
    undoneNow: 'El acceso se ha deshecho. La entrada vuelve a ser válida.',
    undoNeedsSignal: 'Para deshacer un acceso hace falta cobertura. No se ha cambiado nada; inténtalo otra vez.',
  },

  /** Letting people in without a code, where the link allows it. */
  guests: {
    open: 'Buscar a un invitado',
    title: 'Buscar a un invitado',
    field: 'Nombre, correo completo o pedido',
    find: 'Buscar',
    searching: 'Buscando…',
    nobody: 'Nadie de esta puerta se encuentra así.',
    more: 'Hay más. Escribe más del nombre.',
    tooShort: 'Escribe al menos tres letras de un nombre.',
    tooOften: 'Demasiadas búsquedas. Espera un momento.',
    needsSignal: 'Para esto hace falta cobertura. No se ha cambiado nada; inténtalo otra vez.',
    nameless: 'Sin nombre',
    letIn: 'Dejar pasar',
    letInName: (name: string, ticketType: string) => `Dejar pasar a ${name}, ${ticketType}`,
    states: {
      scanned: 'Ya ha entrado',
      transferred: 'Cedida a otra persona',
      cancelled: 'Anulada',
      refunded: 'Reembolsada',
    },
  },

  /** A station that asks before an entry counts. */
  asking: {
    title: '¿Dejar pasar?',
    offline: 'Sin conexión · según la lista de este teléfono, sin nombre',
    letIn: 'Dejar pasar',
    notNow: 'Ahora no',
  },

  /** The others of an order, after one of its tickets was scanned. */
  kiosk: {
    call: 'Acerca el código de tu entrada a la cámara',
    callScanner: 'Acerca el código de tu entrada al lector',
    welcome: '¡Te damos la bienvenida!',
    askStaff: 'Pregunta al personal, por favor.',
    sound: 'Sonido',
    staff: 'Personal',
    leaveTitle: 'Terminar el autoservicio',
    pinAdvice: 'Escribe el PIN de este enlace de puerta. Hace falta cobertura.',
    holdAdvice: 'Mantén pulsado el botón durante tres segundos.',
    leave: 'Terminar',
    hold: 'Mantén pulsado para terminar',
  },

  party: {
    offer: 'Los demás de este pedido',
    title: 'Los demás de este pedido',
    nobody: 'No falta nadie más de este pedido.',
    more: 'Hay más. Lee el resto uno a uno.',
    letIn: (count: string) => `Dejar pasar a ${count}`,
    entered: 'Ha pasado',
    haveEntered: (count: string, isOne: boolean) => `${isOne ? 'Ha pasado' : 'Han pasado'} ${count}.`,
  },

  doorSheet: {
    open: 'Puertas, lista sin conexión, idioma',
    title: 'Este teléfono',
    offline: 'Sin cobertura',
    offlineAdvice:
      'Deja la página abierta donde haya cobertura hasta que la lista esté completa. Se actualiza cada 15 segundos.',
    doors: 'Puertas en este teléfono',
    here: 'Abierta ahora',
    refused: 'Ya no funciona',
    language: 'Idioma',
    build: (name: string) => `Versión de esta página: ${name}`,
  },

  stationSheet: {
    title: '¿Dónde estás ahora?',
    field: 'Puesto',
    done: 'Listo',
  },

  waitingSheet: {
    title: 'Por enviar',
    lead: 'Estas lecturas están a salvo en este teléfono.',
    scansFor: (scans, event) => `${scans} de ${event}`,
    withASignal: 'Se envían en cuanto haya cobertura.',
    withTheirEvent: 'El enlace ya no funciona. Se envían cuando se abra aquí un enlace de ese evento.',
    withAnotherLink: 'Este enlace no admite esas entradas. Se envían cuando se abra aquí uno que sí.',
    withAnotherNetwork:
      'Algo entre este teléfono y el servidor las bloquea o falla con ellas, como un filtro de esta wifi. ' +
      'Usa otra red, como los datos móviles. Se prueban una y otra vez, y no retienen a ninguna otra.',
  },

  conflictSheet: {
    title: 'Revisa estas lecturas',
    lead: 'Se decidieron aquí sin cobertura, y el servidor lo ve de otra manera.',
    toLookAt: (scans) => `${scans} por revisar`,
    dismiss: 'Descartar',
    dismissAll: 'Descartar todas',
    letIn: (time, station) => `Aquí se le dejó pasar: ${time} · ${station}`,
    turnedAway: (time, station) => `Aquí no se le dejó pasar: ${time} · ${station}`,
    error: 'El servidor no pudo aceptar esta lectura',
    admitted: 'Aquí no se le dejó pasar, pero el servidor la da por válida',
    admittedAdvice: 'Si vuelve, déjale pasar.',
    alreadyScanned: 'Ya se había usado',
    transferred: 'Se había traspasado a otra persona',
    cancelled: 'Se había anulado',
    refunded: 'Se había reembolsado',
    wrongEvent: 'Es de otro evento',
    notHere: 'No es de este puesto',
    unknown: 'El servidor no conoce este código',
    wasTurnedAway: 'Ya se había rechazado',
    letPass: (time, station) => `Aquí se le dejó pasar: ${time} · ${station}`,
    passed: 'El servidor los dejó pasar',
    notInside: 'No estaba dentro',
    noReentry: 'No puede volver a entrar con esta entrada',
    entryUndone: 'El acceso se deshizo después de esta lectura',
    entryUndoneAdvice: 'La entrada vuelve a ser válida. Si la persona está dentro, léela otra vez.',
    other: (outcome) => `El servidor dice «${outcome}»`,
  },
};
