# Every word of the pages in Spanish.

# Everywhere.
skip = Saltar al contenido
sections = Secciones
crumbs = Estás en
pages = Páginas
actions = Acciones
copy = Copiar
copied = Copiado
save = Guardar
cancel = Cancelar
change = Cambiar
delete = Eliminar
search = Buscar
older = Anteriores
more = Más
yes = Sí
no = No
you = tú
never = Nunca
not-yet = Aún no
since = desde
state = Estado
created = Creación
expires = Caduca
disabled = Cuenta desactivada
go-on = Seguir
go-home = Ir al inicio
start-over = Empezar de nuevo
look-again = Actualizar
times-in = Las horas son las de { $zone }.
error-summary = Hay algo que corregir
shown-once = Copia esto ahora y guárdalo en un lugar seguro: no se vuelve a mostrar.

section-overview = Resumen
section-events = Eventos
section-orders = Pedidos
section-tickets = Entradas
section-door = Puerta
section-reports = Informes
section-data = Exportar e importar
section-keys = Claves de API
section-webhooks = Webhooks
section-payments = Cuenta de cobros
section-team = Equipo
section-history = Historial
section-settings = Ajustes
section-account = Tu cuenta
section-service = Este servicio

label-name = Nombre
label-your-name = Tu nombre
label-email = Correo electrónico
label-password = Contraseña
label-new-password = Contraseña nueva
label-current-password = Contraseña actual
label-code = Código
label-code-now = El código que muestra ahora la aplicación
label-role = Rol
label-producer-name = Nombre de la organización
label-time-zone = Zona horaria
label-currency = Moneda
hint-password = De 8 a 128 caracteres. Una frase corta es fácil de recordar y difícil de adivinar.
hint-producer-name = El que conoce la gente que te compra.
hint-time-zone = Las páginas muestran las horas de esta zona, y los eventos nuevos empiezan con ella.
hint-currency = Tres letras, como EUR. La moneda en la que hace cuentas tu organización.

wrong-name = Escribe un nombre de una sola línea y de 500 caracteres como mucho.
wrong-email = Escribe un correo electrónico, como ana@example.com.
wrong-password-length = Elige una contraseña de 8 a 128 caracteres.
wrong-password-common = Mucha gente usa esta contraseña, así que es de las primeras que se prueban. Elige otra.
wrong-password-own-name = Una contraseña que está en tu correo electrónico es de las primeras que se prueban. Elige otra.
wrong-time_zone = Elige una zona horaria de la lista.
wrong-currency = Escribe tres letras, como EUR.
wrong-permission = Elige al menos un permiso.
wrong-expires = Elige cuándo caduca la clave.
wrong-expires_at = Esa fecha ya ha pasado.
wrong-url = Escribe una dirección https a la que se pueda llegar desde cualquier punto de internet, como https://example.com/hooks.
wrong-kind = Elige al menos un tipo de mensaje.
wrong-range = Escribe desde cuándo y, si pones un final, que sea posterior.
wrong-code = Ese código no es correcto o ya se usó. Espera al siguiente.
wrong-role = Ese rol no existe.

refused-full = Se ha llegado al máximo. Elimina lo que ya no haga falta.
refused-beyond_own_rights = Eso permite hacer más de lo que puedes hacer tú.
refused-last_administrator = En el equipo tiene que quedar alguien con el rol de Administración que pueda iniciar sesión. Dale antes ese rol a otra persona.
refused-already_member = Esta persona ya está en el equipo.
refused-role_in_use = Alguien tiene este rol. Dale otro antes.
refused-id_taken = Ya hay una cuenta con este correo electrónico. Inicia sesión y abre otra vez el enlace.
refused-not_found = Eso no existe.

done-begun = Te damos la bienvenida. Tu organización está lista.
done-joined = Te damos la bienvenida al equipo.
done-saved = Guardado.
done-password = Contraseña cambiada. Se han cerrado todas las demás sesiones.
done-key-revoked = Clave revocada. Desde ahora ya no sirve para usar la API.
done-endpoint-changed = Destino cambiado.
done-endpoint-paused = No se envía nada hasta que lo reanudes. Los mensajes esperan hasta 30 días.
done-endpoint-resumed = Los mensajes vuelven a enviarse, primero los más antiguos.
done-endpoint-deleted = Destino eliminado.
done-test-sent = Mensaje de prueba enviado. Abajo puedes ver el resultado.
done-replayed = Los mensajes se envían otra vez.
done-withdrawn = Invitación retirada. Su enlace ya no funciona.
done-role-changed = Esta persona ya tiene otro rol.
done-role-saved = Guardado. Vale desde ahora.
done-removed = Esta persona ya no está en el equipo.
done-second-factor-set = Guardado.
done-second-factor-required = Este equipo exige la verificación en dos pasos. Actívala para seguir.
done-second-factor-off = Verificación en dos pasos desactivada.
done-session-ended = Sesión cerrada.
done-producer-made = Organización creada. La administras tú.
done-user-disabled = Cuenta desactivada. Se han cerrado todas sus sesiones.
done-user-enabled = Cuenta activada. Ya puede volver a iniciar sesión.

# Errors as pages.
error-reference = referencia
error-not-found = Esta página no existe
error-not-found-advice = Revisa la dirección o abre otra vez el enlace que te enviaron.
error-busy = Ahora mismo hay mucho movimiento
error-busy-advice = Espera un momento y recarga la página.
error-forbidden = No tienes permiso para hacer esto
error-forbidden-advice = Pide a quien administra tu equipo un rol que lo permita.
error-cross-origin = Este formulario viene de otro sitio
error-cross-origin-advice = No se ha cambiado nada. Abre la página original y envía el formulario desde allí.
error-other = No ha funcionado
error-other-advice = Vuelve atrás y prueba otra vez. Si se repite, dile al organizador la referencia de abajo.

# The front page.
front-title = Entradas, de la primera venta a la puerta
front-lead = Aquí los organizadores venden sus entradas y reciben a su público.
front-staff = Si trabajas aquí
front-staff-about = Claves, webhooks, cobros y tu equipo.
front-open-dashboard = Abrir el panel
front-buyers = Si te apetece salir
front-buyers-about = Mira qué hay a la venta.
front-see-sale = Ver qué hay
front-integrators = Si conectas un programa
front-integrators-about = Consulta entradas, pedidos y eventos con la API y entérate de cada cambio.
front-docs = Leer la documentación
front-on-sale = A la venta
front-nothing = Ahora mismo no hay nada a la venta.
front-from = desde { $price } { $currency }
front-free = gratis

# Signing in.
sign-in = Iniciar sesión
sign-out = Cerrar sesión
sign-in-wrong = El correo electrónico y la contraseña no coinciden.
sign-in-too-many = { $minutes ->
    [one] Demasiados intentos. Espera un minuto y prueba otra vez.
   *[other] Demasiados intentos. Espera { $minutes } minutos y prueba otra vez.
}
sign-in-forgotten = ¿Has olvidado la contraseña? Quien administra tu equipo puede darte un enlace para elegir otra.
second-factor = Verificación en dos pasos
second-factor-lead = Escribe el código que muestra tu aplicación de autenticación.
second-factor-lost = ¿No tienes el teléfono a mano? Escribe uno de tus códigos de recuperación. Cada uno sirve una sola vez.
confirm-title = Tu contraseña, por favor
confirm-lead = Lo que viene ahora puede hacer daño en malas manos, así que confirma que eres tú.
confirm-wrong = Esa no es tu contraseña.
dead-link = Este enlace ya no funciona
dead-link-lead = Ya se usó, ha caducado o se retiró. Pide uno nuevo a quien te lo dio.
begin-title = Empezar
begin-lead = Crea tu cuenta, la primera de administración, y la organización que vende. Este enlace sirve una sola vez.
begin-you = Tú
begin-producer = Tu organización
begin-button = Empezar
join-page = Unirse a un equipo
join-title = Únete al equipo de { $producer }
join-lead = La invitación es para { $email }. Elige una contraseña para iniciar sesión.
join-as = Has iniciado sesión como { $email }.
join-other = Cerrar sesión y unirme con otra cuenta
join-sign-in-first = { $email } ya tiene cuenta aquí. Inicia sesión y volverás a esta página.
join-button = Unirme
choose-password = Elige una contraseña
choose-password-lead = Para { $email }. Se cerrarán todas las sesiones abiertas.
choose-password-button = Guardar la contraseña
demo-sign-in = La demo
demo-sign-in-lead = Entras con la cuenta de administración de la demo. Aquí nada es real.

# The way to a producer.
choose-producer = Elige una organización
no-producer = No estás en ninguna organización
no-producer-lead = Pide una invitación a quien administra la tuya.
forbidden-title = No tienes permiso para hacer esto
forbidden-lead = A tu rol le falta el permiso «{ $right }».
forbidden-advice = El intento queda anotado en el historial. Quien administra el equipo puede darte un rol que lo permita.

# The overview.
overview-second-factor = Tu cuenta no tiene verificación en dos pasos. Con ella, una contraseña robada no abre nada.
overview-keys = { $count ->
    [one] clave activa
   *[other] claves activas
}
overview-webhooks = destinos que van bien
overview-open-keys = Ver las claves
overview-open-webhooks = Ver los destinos
overview-docs = La API
overview-docs-about = Todas las llamadas con sus campos, para leerlas y probarlas.
keys-short = Con una clave, un programa tuyo consulta entradas, pedidos y eventos.
webhooks-short = Con un webhook, un programa tuyo se entera de lo que pasa.

# API keys.
keys-lead = Una clave es la contraseña de un programa: con ella, el programa consulta lo que tú permitas y no puede cambiar nada. Dale a cada programa su propia clave; así podrás revocar una sin parar los demás.
keys-empty = Aún no hay claves
keys-empty-lead = ¿Tu contabilidad, tu boletín o tu propia web necesitan tus entradas y pedidos? Crea una clave. Se muestra una sola vez, con una línea para probarla.
key-new = Nueva clave
key-make = Crear la clave
key-ends-in = Termina en
key-permissions = Puede consultar
key-last-used = Último uso
key-expires = Caduca
key-works = activa
key-expired = caducada
key-revoked = revocada
key-year = En un año
key-days = En { $days } días
key-never-about = Solo para lo que nadie va a revisar en años. Una clave olvidada es una puerta abierta.
hint-key-name = Para qué es la clave, por ejemplo «Contabilidad». Solo lo ve tu equipo.
permission-events = Los eventos y lo que venden.
permission-orders = Los pedidos, con nombre, correo, teléfono y documento de identidad de quien compra.
permission-tickets = Las entradas, con nombre, correo, teléfono y documento de identidad de quien asiste.
key-made = La clave
key-made-title = La clave «{ $name }» está lista
key-your-key = La clave
key-try = Pruébala
key-try-about = Pega esta línea en un terminal. Hace una consulta a la API con la clave nueva.
key-kept = Ya he guardado la clave
revoke = Revocar
revoke-title = ¿Revocar la clave «{ $name }»?
revoke-lead = Todos los programas que usan esta clave dejan de funcionar al momento: se rechaza su próxima llamada. Una clave revocada no se puede recuperar; tendrías que crear otra.
revoke-button = Revocar la clave

# Webhooks.
webhooks-lead = Un webhook avisa al momento a un programa tuyo cuando pasa algo: una venta, una lectura en la puerta, un reembolso. Tú dices a qué dirección avisar y de qué; nosotros avisamos y, si nadie responde, lo seguimos intentando durante casi un día.
webhooks-empty = Aún no hay destinos
webhooks-empty-lead = Un destino es una dirección tuya, como https://example.com/hooks, a la que se envían nuestros mensajes. Crea uno, envía una prueba y mira qué responde.
webhooks-full = Se ha llegado al máximo de destinos. Elimina uno que ya no haga falta.
webhook-new = Nuevo destino
webhook-make = Crear el destino
webhook-endpoint = Destino
webhook-url = Dirección
hint-webhook-url = Ahí se envían los mensajes, como peticiones POST por https.
webhook-kinds = De qué se le avisa
webhook-personal = Datos personales
webhook-personal-send = Enviar también nombres, correos, teléfonos y documentos de identidad
webhook-personal-about = Solo si quien recibe los mensajes los necesita. Sin ellos, los mensajes llevan identificadores, y el resto se consulta en la API con una clave que lo permita.
webhook-made-title = El destino está listo
webhook-made-explanation = Los mensajes se firman con este secreto. Quien los recibe lo necesita para saber que son nuestros.
webhook-rotated-title = El destino tiene un secreto nuevo
webhook-rotated-explanation = Durante 24 horas los mensajes se firman con el secreto nuevo y con el anterior, para dar tiempo a cambiarlo donde se reciben.
webhook-kept = Ya he guardado el secreto
webhook-waiting = Pendientes
webhook-failed = Fallidos
webhook-last-success = Última entrega
webhook-rests = En espera hasta
webhook-test = Enviar una prueba
webhook-change = Cambiar
webhook-change-lead = Los tipos de mensaje valen para lo que pase desde ahora; lo demás, para lo que se envíe desde ahora.
webhook-pause = Pausar
webhook-resume = Reanudar
webhook-rotate = Nuevo secreto
webhook-rotate-about = El secreto nuevo se muestra una sola vez; durante 24 horas se firma también con el anterior.
webhook-messages = Mensajes
webhook-show-all = Ver todos
webhook-show-failed = Ver los fallidos
webhook-delete-title = ¿Eliminar este destino?
webhook-delete-lead = { $count ->
    [0] Ya no se le enviará nada. Se borra todo lo que se sabe de sus mensajes, y no se puede recuperar.
    [one] Ya no se le enviará nada, tampoco el mensaje pendiente. Se borra todo lo que se sabe de sus mensajes, y no se puede recuperar.
   *[other] Ya no se le enviará nada, tampoco los { $count } mensajes pendientes. Se borra todo lo que se sabe de sus mensajes, y no se puede recuperar.
}
webhook-delete-button = Eliminar el destino
secrets-full = Ya hay demasiados secretos en uso. Espera a que se cumplan las 24 horas del más antiguo.
health-active = va bien
health-paused = en pausa
health-resting = ha pedido esperar
health-struggling = falló el último intento
health-failing = parado: días sin poder entregar
health-gone = parado: la dirección ya no existe
messages-empty = Aquí no hay nada
messages-empty-lead = En cuanto pase algo de lo que se avisa a este destino, aparecerá aquí. Con una prueba sabrás si los mensajes llegan.
message = Mensaje
message-place = N.º
message-kind = Tipo
message-happened = Ocurrió
message-attempts = Intentos
message-next = Próximo intento
message-id = Identificador
message-body = Qué se envía
masked = Tu rol no permite ver datos personales, así que aquí están ocultos.
delivery-delivered = entregado
delivery-failed = fallido
delivery-pending = pendiente
attempts = Intentos
attempts-none = Aún no hay intentos.
attempt-number = Intento
attempt-time = Hora
attempt-answer = Código
attempt-none = sin respuesta
attempt-took = Duración
attempt-said = Respuesta
replay-title = Enviar otra vez
replay-lead = Lo que ya se envió puede enviarse de nuevo, en el orden en que ocurrió. Quien recibe los mensajes reconoce cada uno por su identificador, así que no pasa nada si alguno llega dos veces.
replay-one = Enviar otra vez
replay-failed = { $count ->
    [one] Enviar otra vez el fallido
   *[other] Enviar otra vez los { $count } fallidos
}
replay-since = Desde
replay-until = Hasta (vacío: ahora)
replay-range = Enviar otra vez lo de esas fechas
kind-ticket-issued = Se ha emitido una entrada
kind-ticket-scanned = Se ha validado una entrada en la puerta
kind-ticket-transferred = Se ha traspasado una entrada
kind-ticket-cancelled = Se ha anulado una entrada
kind-ticket-refunded = Se ha reembolsado una entrada
kind-ticket-hidden = Se ha ocultado una entrada
kind-order-created = Se ha hecho un pedido
kind-order-approved = Se ha pagado un pedido
kind-order-rejected = Un pedido ya no se va a pagar
kind-order-refunded = Se ha reembolsado un pedido
kind-event-updated = Un evento es nuevo o ha cambiado
kind-ticket-type-updated = Un tipo de entrada es nuevo o ha cambiado

# The payment account.
payments-lead = Una pasarela de pago cobra el dinero y nos avisa. Ambas partes comparten un secreto, para que nadie más pueda decir que un pedido está pagado.
payments-connected = conectada
payments-not-connected = sin conectar
payments-secrets = Secretos válidos ahora
payments-callback = Dirección para sus avisos
payments-connect = Conectar
payments-connect-about = Creamos un secreto y lo mostramos una sola vez. Ponlo en tu pasarela de pago, junto con la dirección de arriba.
payments-rotate = Nuevo secreto
payments-rotate-about = Crea un secreto nuevo y ponlo en la pasarela: los pagos siguen sin interrupción.
payments-old = El secreto anterior
payments-at-once = Anularlo ya
payments-at-once-about = Por si alguien más ha podido verlo. Los pagos firmados con él se rechazan desde ahora. Si no, vale 24 horas más.
payments-made = La cuenta de cobros está conectada
payments-secret = El secreto
payments-old-until = El secreto anterior vale hasta: { $time }.

# The team.
team-lead = Quién trabaja para esta organización y qué puede hacer cada persona.
members = Miembros
invite = Invitar a alguien
invite-button = Crear la invitación
invitations = Invitaciones abiertas
withdraw = Retirar
hint-invite = Recibes un enlace y se lo das tú. Sirve una sola vez, durante 7 días.
invited-title = Invitación para { $email }
invited-explanation = Dale este enlace a { $email }. Quien lo tenga puede unirse al equipo, una sola vez, en los próximos 7 días.
link-once = Copia el enlace ahora: no se vuelve a mostrar.
link-kept = Ya lo he entregado
reset-title = Una contraseña nueva para { $email }
reset-explanation = Dale este enlace a { $email }. Quien lo tenga puede elegir una contraseña nueva, una sola vez, en las próximas 24 horas.
reset-password = Contraseña nueva
reset-password-about = Para quien la ha olvidado. Recibes un enlace y se lo das tú.
reset-password-button = Crear el enlace
reset-both = Nueva contraseña, sin la verificación en dos pasos
reset-second-factor = Desactivar también la verificación en dos pasos
reset-second-factor-about = Para quien ha perdido el teléfono y los códigos de recuperación.
remove-title = Quitar del equipo
remove-about = { $name } dejará de ver todo lo de esta organización desde el próximo clic.
remove-button = Quitar del equipo
require-title = Verificación en dos pasos
require-label = Obligatoria para todo el equipo
require-about = A quien no la tenga se le pide activarla antes de nada.
own-second-factor-first = Activa antes tu propia verificación en dos pasos, o te quedarías fuera.
roles = Roles
roles-lead = Un rol es un conjunto de permisos. Todos los equipos tienen cinco; crea los que te hagan falta.
roles-what = Qué puede hacer cada rol
role-new = Nuevo rol
role-change = Cambiar el rol
role-delete = Eliminar el rol
role-nothing = Ve el resumen y nada más.
role-gone = (un rol eliminado)
hint-role-name = Por ejemplo, «Contabilidad».
rights = Permisos
role-administrator = Administración
role-editor = Edición
role-box-office = Taquilla
role-door-manager = Puerta
role-viewer = Consulta
right-producer-administer = Administrar la organización
right-producer-administer-about = Crear y revocar claves de API; cambiar el nombre, la zona horaria y la moneda.
right-keys-see = Ver las claves de API
right-keys-see-about = Cuáles hay, cuándo se usaron y cuándo caducan; nunca las claves en sí.
right-webhooks-see = Ver los webhooks
right-webhooks-see-about = Los destinos, cómo van y qué se les ha enviado.
right-webhooks-manage = Gestionar los webhooks
right-webhooks-manage-about = Crear, cambiar, probar, pausar y eliminar destinos, y enviar mensajes otra vez.
right-payments-manage = Gestionar la cuenta de cobros
right-payments-manage-about = Conectarla y cambiar su secreto.
right-events-see = Ver eventos
right-events-see-about = Qué venden y cuánto se ha vendido.
right-events-manage = Gestionar eventos
right-events-manage-about = Crear, cambiar, publicar, terminar y cancelar eventos y lo que venden.
right-orders-see = Ver pedidos y entradas
right-orders-see-about = Listas, búsqueda y el historial de cada uno.
right-orders-sell = Vender
right-orders-sell-about = Vender en taquilla; aprobar y rechazar pedidos.
right-orders-refund = Reembolsar
right-orders-refund-about = Reembolsar un pedido o todos los de un evento.
right-tickets-manage = Gestionar entradas
right-tickets-manage-about = Anular, traspasar y ocultar entradas.
right-door-see = Ver la puerta
right-door-see-about = Quién ha entrado y quién falta por llegar, en directo.
right-door-manage = Gestionar la puerta
right-door-manage-about = Crear y revocar los enlaces con los que escanea el personal de puerta.
right-reports-see = Ver informes
right-reports-see-about = Ventas en unidades y dinero, accesos y ausencias.
right-data-export = Exportar
right-data-export-about = Descargar pedidos, entradas, escaneos y pagos como archivos.
right-data-import = Importar
right-data-import-about = Incorporar eventos, pedidos y entradas desde archivos.
right-team-see = Ver el equipo
right-team-see-about = Quién está en él y con qué rol.
right-team-manage = Gestionar el equipo
right-team-manage-about = Invitar a gente, darle roles y quitarla del equipo.
right-history-see = Ver el historial
right-history-see-about = Qué ha hecho cada persona del equipo y cuándo.
right-personal-data-see = Ver datos personales
right-personal-data-see-about = Nombres, correos, teléfonos y documentos de identidad de quienes compran y asisten. Sin este permiso están ocultos.

# The history.
history-lead = Lo que ha hecho el equipo, aquí y en la línea de comandos. Nada se puede cambiar ni borrar.
history-when = Cuándo
history-who = Quién
history-what = Qué
history-subject = Sobre qué
history-from = Desde dónde
history-anything = Todo
history-empty = No se ha encontrado nada
history-empty-lead = Prueba con menos filtros o busca otra cosa.
action-producer-created = Organización creada
action-producer-changed = Organización cambiada
action-key-created = Clave de API creada
action-key-revoked = Clave de API revocada
action-endpoint-created = Destino creado
action-endpoint-changed = Destino cambiado
action-endpoint-paused = Destino en pausa
action-endpoint-resumed = Destino reanudado
action-endpoint-rotated = Secreto nuevo para un destino
action-endpoint-tested = Prueba enviada a un destino
action-endpoint-replayed = Mensajes enviados otra vez
action-endpoint-deleted = Destino eliminado
action-payments-connected = Cuenta de cobros conectada
action-payment-paid-back = Pago marcado como devuelto
action-door-link-created = Enlace de puerta creado
action-door-link-revoked = Enlace de puerta retirado
action-event-created = Evento creado
action-event-changed = Evento cambiado
action-ticket-type-created = Tipo de entrada creado
action-ticket-type-changed = Tipo de entrada cambiado
action-order-placed = Pedido hecho
action-order-approved = Pedido aprobado
action-order-rejected = Pedido rechazado
action-order-refunded = Pedido reembolsado
action-ticket-cancelled = Entrada anulada
action-ticket-transferred = Entrada traspasada
action-ticket-scanned = Entrada validada
action-ticket-hidden = Entrada ocultada
action-import-done = Datos importados
action-user-created = Cuenta creada
action-user-disabled = Cuenta desactivada
action-user-enabled = Cuenta activada
action-user-reset-link = Enlace para una contraseña nueva creado
action-user-password-changed = Contraseña cambiada
action-user-second-factor-on = Verificación en dos pasos activada
action-user-second-factor-off = Verificación en dos pasos desactivada
action-user-recovery-codes = Códigos de recuperación nuevos
action-user-signed-in = Sesión iniciada
action-user-sign-in-failed = Inicio de sesión fallido
action-session-ended = Sesión cerrada
action-member-invited = Invitación al equipo
action-member-invitation-withdrawn = Invitación retirada
action-member-joined = Alta en el equipo
action-member-role-changed = Cambio de rol de un miembro
action-member-removed = Baja del equipo
action-role-created = Rol creado
action-role-changed = Rol cambiado
action-role-deleted = Rol eliminado
action-team-second-factor = Verificación en dos pasos: obligatoria o no
action-refused = Intento sin permiso

# Settings and the service.
settings-lead = Los datos de tu organización. Los eventos que ya existen conservan su zona horaria y su moneda.
producer-id = Identificador
service-lead = Lo que afecta a todas las organizaciones de este servidor. Solo ve esta página quien lo gestiona.
service-history = Lo que no toca a ninguna organización
service-history-lead = Quién ha entrado o lo ha intentado sin éxito y qué se ha hecho con las cuentas. Se muestra lo más reciente.
producers = Organizaciones
producer-new = Nueva organización
producer-make = Crear la organización
users = Cuentas
user-active = activa
enable = Activar
disable = Desactivar

# The account.
change-password = Cambiar la contraseña
change-password-about = Se cerrarán todas tus demás sesiones.
second-factor-on = activada
second-factor-about = Con la verificación en dos pasos, para iniciar sesión hacen falta tu contraseña y un código de tu teléfono. Una contraseña robada, por sí sola, no abre nada.
second-factor-set-up = Activar la verificación en dos pasos
second-factor-step-app = Instala una aplicación de autenticación en el teléfono o usa la de tu gestor de contraseñas.
second-factor-step-scan = Escanea este código con la aplicación.
second-factor-step-type = Si no puede escanearlo, escribe esto en ella:
second-factor-qr = Código QR para la aplicación de autenticación
second-factor-remove = Desactivar la verificación en dos pasos
second-factor-remove-about = Desde ese momento bastará con la contraseña.
codes-left = { $count ->
    [0] No queda ningún código de recuperación. Crea otros.
    [one] Queda un código de recuperación.
   *[other] Quedan { $count } códigos de recuperación.
}
codes-renew = Crear códigos de recuperación nuevos
codes-renew-about = Los anteriores dejan de servir.
codes-title = Tus códigos de recuperación
codes-once = Apúntalos o imprímelos ahora: no se vuelven a mostrar.
codes-about = Si no tienes el teléfono, cada uno sustituye una vez al código de la aplicación.
codes-kept = Ya he guardado los códigos
sessions = Dónde tienes la sesión abierta
sessions-about = Cierra las que no reconozcas y cambia tu contraseña.
sessions-end = Cerrar todas las demás
session-device = Navegador
session-address = Dirección
session-began = Inicio
session-seen = Último uso
session-end = Cerrar
session-this = esta

# Los eventos y lo que venden.

# Los pedidos y la taquilla.

# Las entradas y la búsqueda.

# La puerta, en directo.

# Los informes.

# Las exportaciones.

# Las importaciones y los trabajos largos.

# La portada, en marcha.
overview-waiting = Te espera
overview-nothing-waits = No hay nada pendiente.
overview-tonight = Hoy
overview-nothing-tonight = Hoy no hay ningún evento.
overview-next = Próximos
overview-entered = han entrado
overview-sold = vendidas
overview-left = quedan
overview-sales = Ventas de los últimos 14 días
overview-units = Unidades vendidas por día
overview-as-table = Como tabla
overview-day = Día
overview-refunded = devueltas
overview-open-sales = Ver las ventas
waiting-payments = { $count ->
    [one] pago no corresponde a nada: hay que devolverlo
   *[other] pagos no corresponden a nada: hay que devolverlos
}
waiting-messages = { $count ->
    [one] mensaje de webhook no se pudo entregar
   *[other] mensajes de webhook no se pudieron entregar
}
waiting-holds = { $count ->
    [one] unidad está reservada menos de 10 minutos más
   *[other] unidades están reservadas menos de 10 minutos más
}
waiting-orders = { $count ->
    [one] pedido espera su pago desde hace más de 3 días
   *[other] pedidos esperan su pago desde hace más de 3 días
}
waiting-door-links = { $count ->
    [one] enlace de puerta caduca en una semana
   *[other] enlaces de puerta caducan en una semana
}
waiting-invitations = { $count ->
    [one] invitación caduca en una semana
   *[other] invitaciones caducan en una semana
}
waiting-keys = { $count ->
    [one] clave de la API caduca en una semana
   *[other] claves de la API caducan en una semana
}
payments-open = Pagos por resolver
payments-open-lead = Este dinero ha llegado y no paga nada. Aprueba el pedido si aún espera, o devuelve el dinero y anótalo aquí.
payments-none-open = Ningún pago espera
payments-none-open-lead = Cada pago ha pagado un pedido o se ha devuelto.
payments-later = Más recientes
payment-id = Pago
payment-received = Recibido
payment-amount = Importe
payment-for = Destinado a
payment-why = Por qué no paga nada
payment-no-order = Ningún pedido tiene esta referencia:
payment-mark = Marcar como devuelto
payment-mark-title = ¿Se ha devuelto este pago?
payment-mark-lead = Taquilla no mueve dinero. Devuélvelo primero en tu plataforma de pago y anótalo después aquí. Desde entonces no paga ningún pedido.
payment-note = Nota
payment-note-hint = Cómo se devolvió, por si alguien pregunta después. Queda en el historial.
wrong-note = Escribe unas palabras en una sola línea.
done-paid-back = El pago está marcado como devuelto.
done-payment-settled = Mientras tanto ese pago ha pagado un pedido. No se ha marcado nada.
unsettled-not-found = Ningún pedido tiene la referencia que indica.
unsettled-payment-mismatch = El importe o la moneda no son los del pedido.
unsettled-order-not-pending = El pedido ya estaba decidido cuando llegó el pago.
unsettled-sold-out = Lo pedido estaba agotado cuando llegó el pago.
unsettled-held = Lo pedido estaba reservado para otra persona cuando llegó el pago.
unsettled-event-not-on-sale = El evento ya no estaba a la venta cuando llegó el pago.
unsettled-not-on-sale = Lo pedido ya no estaba a la venta cuando llegó el pago.
unsettled-payment-paid-back = Este pago ya se había devuelto.
unsettled-order-has-tickets = El pedido ya tiene sus entradas.
unsettled-invalid-body = El aviso del pago no era correcto.
