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
section-people = Datos personales
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
refused-limit_below_sold = Ya se han vendido más.
refused-payment_mismatch = El importe o la moneda del pago no son los del pedido.
refused-payment_paid_back = Este pago se devolvió, así que no paga nada.
refused-payment_settled = Este pago ha pagado un pedido. Reembolsa antes ese pedido.
refused-too_many_unpaid = Hay demasiados pedidos sin pagar. Hay que pagar uno, o esperar a que acabe su plazo.

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

# La página por http antes de una prueba con un certificado hecho aquí.
local-title = Tu móvil te va a avisar
local-lead = Esto es una prueba en tu propia red. Los navegadores solo abren la cámara por https, y el certificado para ello lo ha hecho el ordenador en el que funciona Taquilla. Nadie más responde por él, así que la página siguiente es un aviso.
local-what = Qué vas a ver y qué hay que pulsar
local-safari = Safari en iPhone y iPad
local-safari-do = «Esta conexión no es privada»: pulsa Mostrar detalles, luego «visitar este sitio web» y confirma.
local-chrome = Chrome, Edge y Samsung Internet
local-chrome-do = «La conexión no es privada»: pulsa Configuración avanzada y luego «Acceder a { $host }».
local-firefox = Firefox
local-firefox-do = «Advertencia: riesgo potencial de seguridad a continuación»: pulsa Avanzado y luego «Aceptar el riesgo y continuar».
local-go-on = Seguir hasta el aviso
local-only-here = Pasa por alto un aviso solo en tu propia red, y solo si la dirección es { $host }, la que muestra el ordenador.
local-real-night = Para una noche de verdad, dale a Taquilla un dominio: así ningún móvil avisa, y el escáner se abre también sin cobertura.

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
kind-ticket-person-erased = Se ha borrado el asistente de una entrada
kind-order-created = Se ha hecho un pedido
kind-order-approved = Se ha pagado un pedido
kind-order-rejected = Un pedido ya no se va a pagar
kind-order-refunded = Se ha reembolsado un pedido
kind-order-person-erased = Se ha borrado el comprador de un pedido
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
right-personal-data-manage = Atender solicitudes sobre datos personales
right-personal-data-manage-about = Consultar lo que se guarda de una persona, entregarlo y borrarlo.

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
events-lead = Aquello para lo que vendes entradas. Un evento empieza como borrador que solo ve tu equipo; cuando se publica, está a la venta.
events-all = Todos
events-filter = Mostrar
events-empty = Aún no hay eventos
events-empty-lead = Crea uno, añade lo que vende y publícalo cuando todo esté bien.
events-none = Ninguno de estos
events-none-yet = Quedan otros más antiguos por mirar.
event-new = Nuevo evento
event-make = Crear el evento
event-change = Cambiar el evento
event-starts = Empieza
event-ends = Termina
event-no-time = Sin fecha
event-venue = Lugar
event-description = Descripción
event-image = Imagen
event-id = Id
event-orders = Pedidos
event-tickets = Entradas
event-door = La puerta
event-report = Informe de ventas
event-status-draft = borrador
event-status-published = a la venta
event-status-finished = terminado
event-status-cancelled = cancelado
event-publish = Publicar
event-publish-again = Publicar de nuevo
event-draft-about = Nadie fuera de tu equipo ve un borrador. Tu equipo ya puede vender en taquilla.
event-duplicate = Duplicar
event-duplicate-lead = Crea un borrador con los mismos textos y lo mismo a la venta, con los mismos precios y límites. Aún no hay nada vendido. Lo que está oculto recibe enlaces nuevos.
event-duplicate-button = Crear el borrador
event-finish = Terminar
event-finish-title = ¿Terminar «{ $name }»?
event-finish-lead = Para un evento que ya ha pasado.
event-finish-sales = Ni la tienda ni la taquilla venden nada más.
event-finish-orders = Los pedidos que esperan su pago todavía se pueden pagar.
event-finish-tickets = Las entradas quedan como están.
event-finish-door = La puerta sigue igual: los enlaces funcionan hasta que caducan o se revocan.
event-finish-back = Puedes publicarlo de nuevo.
event-finish-button = Terminar el evento
event-cancel = Cancelar el evento
event-cancel-title = ¿Cancelar «{ $name }»?
event-cancel-lead = { $count ->
    [0] Aún no se ha vendido nada.
    [one] Se ha vendido una unidad de lo que ofrece. No avisamos a quien la compró: eso te toca a ti.
   *[other] Se han vendido { $count } unidades de lo que ofrece. No avisamos a quienes las compraron: eso te toca a ti.
}
event-end-sales = Ventas
event-end-orders = Pedidos
event-end-tickets = Entradas
event-end-door = La puerta
event-end-back = Vuelta atrás
event-cancel-sales = La tienda y la taquilla dejan de vender al momento.
event-cancel-orders = Los pedidos que esperan su pago ya no se pueden pagar. El dinero que aún llegue para uno de ellos se guarda como pago por devolver. Los pedidos pagados quedan como están hasta que los reembolses: nada se devuelve solo.
event-cancel-refund = Después podrás reembolsarlos todos juntos.
event-cancel-tickets = Las entradas siguen siendo válidas hasta que se reembolsan sus pedidos.
event-cancel-door = Los enlaces de la puerta siguen funcionando y las entradas válidas siguen entrando. Revoca los enlaces si no debe entrar nadie.
event-cancel-back = Puedes publicarlo de nuevo. Los pedidos que se hayan reembolsado entretanto quedan reembolsados.
event-cancel-button = Cancelar el evento
event-cancel-keep = Dejarlo como está
event-cancelled-title = Este evento está cancelado
event-cancelled-lead = No se vende nada. Los pedidos pagados quedan pagados hasta que se reembolsan.
event-refund-all = Reembolsar todos los pedidos
hint-event-name = Como lo lee quien compra.
hint-event-venue = Dónde es. Puede quedar vacío.
hint-event-zone = Los relojes del lugar. Escribe parte de un nombre, como «madrid» o «new_york», y elige.
hint-event-starts = Según los relojes del lugar, en la zona horaria de arriba. Una hora que no existe porque los relojes se adelantan no se acepta; si se atrasan y la hora se repite, te preguntamos cuál de las dos es.
hint-event-ends = Puede quedar vacío.
hint-event-currency = La moneda de todos los precios del evento. Ya no cambia.
hint-event-description = Lo que lee quien compra. Puede quedar vacía.
hint-image = La dirección web de una imagen, como https://example.com/poster.jpg. Puede quedar vacía.
hint-copy-starts = Según los relojes de { $zone }. El final y el fin de las ventas se mueven con él. Si queda vacío, ninguno tiene fecha.
moment-which = ¿Cuál de las dos?
moment-first = La primera, antes de que se atrasen los relojes
moment-second = La segunda, después de atrasarse los relojes
meanwhile-title = Otra persona ha cambiado esto mientras tenías el formulario abierto
meanwhile-lead = Aún no se ha guardado nada tuyo. Donde lo guardado ahora difiere de lo que has escrito, está debajo del campo. Si guardas otra vez, lo tuyo lo sustituye.
meanwhile-saved = Guardado ahora:
meanwhile-empty = (nada)
meanwhile-save = Guardar lo mío de todos modos
items-title = Lo que vende
items-empty = Aún no hay nada que vender
items-empty-lead = Añade tipos de entrada, como «General» o «Palco», y cosas de la barra. Varias juntas forman un paquete.
items-about = Reservado es lo que guardan un rato los pedidos sin pagar. Libre es lo que no está ni vendido ni reservado.
items-deleted = Borrados
item-new = Nuevo tipo de entrada
item-make = Crear el tipo de entrada
item-change = Cambiar
bundle-new = Nuevo paquete
bundle-make = Crear el paquete
bundle-lead = Varias cosas vendidas como una, a un solo precio. Cada una será una entrada propia. Lo que incluye un paquete no cambia, porque hay quien lo ha comprado; para otra cosa crea otro paquete.
bundle-no-parts = Aún no hay nada que juntar
bundle-no-parts-lead = Crea primero los tipos de entrada que el paquete debe incluir.
item-price = Precio
item-price-in = Precio en { $currency }
item-sold = Vendido
item-held = Reservado
item-free = Libre
item-unlimited = sin límite
item-order = Orden
item-up = Subir { $name }
item-down = Bajar { $name }
item-restore = Recuperar
item-deleted = borrado
item-ended = venta terminada
item-delete-about = Al borrarlo sale de la venta y de las listas. Las entradas vendidas siguen entrando, y lo puedes recuperar.
item-deleted-about = Está fuera de la venta y de las listas. Las entradas vendidas siguen entrando.
item-category = Categoría
item-category-ticket = Entrada
item-category-merchandise = Algo de la barra o de la tienda
item-category-bundle = Paquete
item-includes = Incluye
item-who = Quién lo puede comprar
item-status-active = a la venta
item-status-active-about = Todo el mundo, en la tienda y en taquilla.
item-status-hidden = oculto
item-status-hidden-about = Quien tiene su enlace, y tu equipo en taquilla. La tienda no lo muestra.
item-status-exclusive = para el equipo
item-status-exclusive-about = Solo tu equipo en taquilla, por ejemplo para invitados y promotores.
item-status-sold_out = agotado
item-status-sold_out-about = Nadie. La tienda lo muestra como agotado.
item-status-inactive = desactivado
item-status-inactive-about = Nadie. La tienda no lo muestra.
item-limit = Límite
item-most = Máximo por pedido
item-expires = Fin de la venta
item-place = Lugar en la lista
item-past-holds = Bajarlo de todos modos
item-past-holds-about = Quien tenga un pedido sin pagar puede encontrarse sin nada.
item-link-title = El enlace que lo abre
item-link-lead = Quien tenga este enlace puede comprarlo. Dáselo solo a quien sea para él.
item-link-unseen = Se abre con un enlace que pueden repartir quienes pueden cambiar eventos.
hint-item-name = Como lo lee quien compra, por ejemplo «General».
hint-item-price = En unidades enteras, sin decimales; 0 es gratis. Un precio nuevo cuenta para los pedidos desde ahora.
hint-item-limit = Cuántos se pueden vender. Vacío, cualquier número.
hint-item-expires = Según los relojes de { $zone }. Vacío, está a la venta mientras lo esté el evento.
hint-item-place = Los números más bajos van primero.
wrong-text = Escribe 10 000 caracteres como mucho, sin caracteres de control.
wrong-image_url = Escribe una dirección web, como https://example.com/poster.jpg.
wrong-time_zone-name = Esa zona horaria no existe. Escribe parte de su nombre y elige una de la lista, como Europe/Madrid.
wrong-ends_at = El final es anterior al comienzo.
wrong-moment = Escribe una fecha y una hora.
wrong-moment-skipped = Esa hora no existe en { $zone }: los relojes se adelantan y se la saltan. Elige otra.
wrong-moment-twice = Esa hora se repite en { $zone } porque los relojes se atrasan. Elige cuál de las dos es.
wrong-price = Escribe un número entero, sin decimales; 0 es gratis.
wrong-item-status = Elige quién lo puede comprar.
wrong-category = Elige una categoría.
wrong-limit = Escribe un número entero o deja el campo vacío.
wrong-limit-below-sold = { $count ->
    [one] Ya se ha vendido uno. El límite no puede ser menor.
   *[other] Ya se han vendido { $count }. El límite no puede ser menor.
}
wrong-limit-held = Los pedidos sin pagar reservan más de lo que quedaría. La próxima reserva termina el { $time }.
wrong-max_per_order = Escribe un número entero, 1 o más.
wrong-sort_order = Escribe un número entero.
wrong-quantity = Escribe números enteros; 0 o nada deja algo fuera.
wrong-includes = Indica cuántas unidades de al menos una cosa incluye el paquete.
refused-changed_meanwhile = Otra persona lo ha cambiado entretanto, así que no se ha hecho nada. Mira cómo está ahora y decide de nuevo.
done-event-made = El evento está creado, como borrador. Ahora añade lo que vende.
done-event-changed = El evento se ha cambiado.
done-event-published = El evento está a la venta.
done-event-finished = El evento ha terminado. No se vende nada más.
done-event-cancelled = El evento está cancelado. No se vende nada más.
done-event-copied = Este es el nuevo borrador.
done-item-made = Ya está creado.
done-item-changed = Se ha cambiado.
done-item-deleted = Se ha borrado. Lo puedes recuperar más abajo.
done-item-restored = Ha vuelto.
done-item-moved = El orden se ha cambiado.

# Los pedidos y la taquilla.
order = Pedido
order-pending = por pagar
order-approved = pagado
order-rejected = rechazado
order-refunded = reembolsado
orders-search = Buscar pedidos
orders-search-hint = Cualquier palabra de un nombre o correo, un teléfono, un documento, el id del pedido o su referencia.
orders-search-hint-masked = Por el id o la referencia del pedido. Tu rol no ve datos personales, así que no se buscan nombres ni correos.
orders-empty = Todavía no hay pedidos
orders-empty-lead = Aquí aparecen los pedidos de la tienda y de la taquilla.
order-buyer = Comprador
order-what = Qué
order-total = Total
order-placed = Hecho
order-id = Pedido
order-channel = Vendido
channel-shop = en la tienda
channel-box-office = en la taquilla
channel-import = fuera, e importado
order-paid-at = Pagado
order-refunded-at = Reembolsado
order-hold = Reservado hasta
order-hold-ended = la reserva ha terminado
order-past-holds = Vendido aunque otros lo tenían reservado
order-reference = Referencia del comprador
order-quantity = Cantidad
order-price = Precio
order-payments = Pagos
order-no-payments = Ningún procesador ha informado de un pago de este pedido.
payment = Pago
payment-amount = Importe
payment-received = Recibido
payment-settled = liquidado
payment-failed = fallido
payment-open = por resolver
payment-paid-back = devuelto
payment-elsewhere = liquidó otro pedido
order-no-tickets = Aún no tiene entradas. Se emiten cuando se paga.
order-more-tickets = Todas las entradas del pedido
order-no-history = El equipo aún no ha hecho nada con él.
order-too-large = El pedido daría demasiadas entradas a la vez.
order-approve = Pagado: aprobar
order-reject = Rechazar
order-refund = Reembolsar
order-print = Entradas con códigos QR
order-open = Abrir el pedido
order-next-tickets = Las siguientes entradas
order-refund-title = ¿Reembolsar este pedido?
order-refund-lead = { $count ->
    [0] Ninguna de sus entradas vale ya. El pedido contará como reembolsado.
    [one] Su entrada deja de valer al momento y vuelve a estar a la venta.
   *[other] Sus { $count } entradas dejan de valer al momento y vuelven a estar a la venta.
}
order-pay-back = Por devolver
order-refund-button = Reembolsar el pedido
order-tickets-count = { $count ->
    [one] Una entrada
   *[other] { $count } entradas
}
done-sold = Vendido. Aquí están las entradas.
done-order-placed = El pedido está hecho y espera su pago.
done-order-approved = El pedido está aprobado y sus entradas emitidas.
done-order-rejected = El pedido está rechazado.
done-order-refunded = El pedido está reembolsado y sus entradas ya no valen.
sell = Vender
sell-choose = Elegir
sell-items = Qué se vende
sell-left = { $count ->
    [0] no queda ninguna
    [one] queda una
   *[other] quedan { $count }
}
sell-for-team = para el equipo
sell-hidden = oculta
sell-pay = Pago
sell-pay-now = Pagado ahora
sell-pay-now-about = Las entradas se emiten al momento.
sell-pay-later = Se pagará después
sell-pay-later-about = El pedido espera y sus entradas quedan reservadas un rato.
sell-free = Invitación
sell-free-about = Todos los precios son 0.
sell-past-holds = Tomar lo que otros tienen reservado
sell-past-holds-about = Quien lo tiene reservado puede pagar en vano.
sell-buyer = Nombre y contacto (no hace falta)
sell-button = Vender
sell-next = Vender otra vez
sell-no-events = No hay evento para vender
sell-no-events-lead = Se puede vender para eventos en borrador o publicados.
sell-no-items = Este evento aún no vende nada
sell-no-items-lead = Dale primero un tipo de entrada.
sell-nothing = Escribe cuántas se venden y de qué.
sell-sold-out = No quedan suficientes de { $item }.
sell-not-on-sale = { $item } no está a la venta.
sell-too-many = Un pedido puede tener como mucho { $most } de { $item }.
sell-held = Otros tienen reservadas demasiadas de { $item }. Espera, o toma lo que tienen reservado.
sale-wrong-quantity = Escribe números enteros, como 2.
wrong-person = Los nombres y contactos tienen como mucho 500 caracteres y ningún carácter de control.
print = Imprimir
refused-event_not_on_sale = El evento no está a la venta.
refused-sold_out = No quedan suficientes.
refused-not_on_sale = Uno de los artículos no está a la venta.
refused-too_many = Un pedido no puede tener tantos.
refused-held = Otros tienen reservado demasiado. Espera, o toma lo que tienen reservado.
refused-order_not_pending = Alguien ya ha decidido este pedido.
refused-order_not_approved = Solo se puede reembolsar un pedido pagado.
refused-order_has_tickets = El pedido ya tiene entradas; se importaron con él.
refused-idempotency_mismatch = Este formulario ya ha vendido algo. Empieza una venta nueva.

# Las entradas y la búsqueda.
ticket = Entrada
ticket-valid = válida
ticket-scanned = ha entrado
ticket-transferred = traspasada
ticket-cancelled = anulada
ticket-refunded = reembolsada
ticket-hidden = oculta
ticket-attendee = Asistente
ticket-type = Tipo de entrada
ticket-issued = Emitida
ticket-code = Código
ticket-qr = Código QR de la entrada
tickets-search = Buscar entradas
tickets-search-hint = Cualquier palabra de un nombre o correo, un teléfono, un documento, el principio de un código, o un pedido.
tickets-search-hint-masked = Por un código entero o por un pedido. Tu rol no ve datos personales, así que no se buscan nombres, correos ni partes de códigos.
tickets-empty = Todavía no hay entradas
tickets-empty-lead = Las entradas aparecen aquí cuando se paga un pedido o se importa un archivo.
sales-event = Evento
sales-all-events = Todos los eventos
sales-any-state = Cualquiera
sales-found = { $count ->
    [0] No se ha encontrado nada
    [one] Se ha encontrado uno
   *[other] Se han encontrado { $count }
}
sales-cut = Hay más de lo que se muestra. Escribe otra palabra.
sales-nothing-found = No se ha encontrado nada
sales-nothing-found-lead = Cada palabra debe ser el principio de una palabra del nombre, el correo, el documento, el teléfono, el código o el pedido. Lo recién vendido se encuentra un segundo después.
sales-nameless = sin nombre
sales-masked = Tu rol no ve datos personales ni códigos. En esta página están tapados.
person-name = Nombre
person-email = Correo electrónico (no hace falta)
person-phone = Teléfono
person-document = Documento de identidad
ticket-moments = Qué le ha pasado
ticket-holders = Quién la ha tenido
moment-issued = emitida
moment-passed-on = traspasada
moment-cancelled = anulada
moment-refunded = reembolsada
moment-hidden = ocultada por el equipo
moment-cancelled-by-staff = anulada por el equipo
moment-passed-on-by-staff = traspasada por el equipo
moment-station = en
moment-link = por
moment-phone = según el reloj del teléfono
moment-by = por
attempt-admitted = ha entrado
attempt-already-scanned = rechazada: ya había entrado
attempt-transferred = rechazada: traspasada
attempt-cancelled = rechazada: anulada
attempt-refunded = rechazada: reembolsada
attempt-unknown = rechazada: desconocida
attempt-wrong-event = rechazada: otro evento
attempt-not-here = rechazada: no en esta puerta
attempt-turned-away = rechazada sin conexión
ticket-cancel = Anular la entrada
ticket-cancel-about = Ya no vale en la puerta y vuelve a estar a la venta. No se puede deshacer. El dinero se devuelve solo reembolsando el pedido.
ticket-hide = Ocultar la entrada
ticket-hide-about = Sale de todas las listas y cuentas y sigue valiendo en la puerta. Es para pruebas y personal. No se puede deshacer.
ticket-pass-on = Traspasar la entrada
ticket-pass-on-about = El nuevo titular recibe una entrada con un código nuevo. El código anterior deja de valer al momento.
ticket-keep = Dejarla como está
done-ticket-cancelled = La entrada está anulada.
done-ticket-hidden = La entrada está oculta.
done-ticket-passed-on = La entrada está traspasada. Esta es la nueva.
refused-ticket_valid = La entrada es válida, y así no se puede.
refused-ticket_scanned = La entrada ya ha entrado, y así no se puede.
refused-ticket_transferred = La entrada ya se traspasó.
refused-ticket_cancelled = La entrada ya está anulada.
refused-ticket_refunded = La entrada ya está reembolsada.

# La puerta, en directo.
doors-lead = Quién ha entrado y quién falta por entrar, en directo. Elige un evento.
doors-empty = Todavía no hay eventos
doors-empty-lead = Cada evento tiene una puerta. Crea antes un evento.
doors-tonight = Esta noche
doors-next = Próximos
doors-before = Anteriores y sin fecha
doors-times = Las horas son las del lugar de cada evento.
door-open = Abrir la puerta
door-event = Evento
door-starts = Empieza
door-venue = Lugar
door-draft = borrador
door-finished = terminado
door-cancelled = cancelado
door-entered = Han entrado
door-to-come = Faltan por entrar
door-expected = Previstos
door-entered-of-expected = han entrado, de los previstos
door-lately = En los últimos 5 minutos
door-refused = Rechazados
door-conflicts = Conflictos
door-all = Todo junto
door-category-ticket = Entrada
door-category-merchandise = Barra y tienda
door-category-bundle = Paquete
door-by-minute = Entradas por minuto
door-as-table = Como tabla
door-minute = Minuto
door-by-type = Por tipo de entrada
door-type = Tipo de entrada
door-by-station = Por puesto
door-station = Puesto
door-elsewhere = Otros y sin puesto conocido
door-by-link = Por enlace de puerta
door-link = Enlace
door-let-in = Admitidos
door-latest = Últimas entradas
door-when = Cuándo
door-why = Por qué
door-made = escaneado
door-before = entró antes:
door-refused-latest = Últimos rechazos
door-conflicts-about = Un teléfono sin cobertura dejó entrar a alguien y el servidor no admite esa entrada. Esa persona ya está dentro.
door-nobody-yet = Todavía no ha entrado nadie.
door-no-tickets = Todavía no hay entradas.
door-no-links = Este evento todavía no tiene enlaces de puerta.
door-none-refused = No se ha rechazado a nadie.
door-no-conflicts = sin conflictos
door-said = Han entrado { $entered }, faltan { $to_come }
door-outcome-admitted = Admitida
door-outcome-already-scanned = Ya entró
door-outcome-transferred = Cedida a otra persona
door-outcome-cancelled = Anulada
door-outcome-refunded = Reembolsada
door-outcome-unknown = No es una entrada nuestra
door-outcome-wrong-event = De otro evento
door-outcome-not-here = No es para esta puerta
door-outcome-turned-away = Rechazada por un teléfono sin cobertura
door-screen = Pantalla grande
door-screen-leave = Salir
live-now = En directo
live-polling = Se actualiza cada 5 segundos
live-lost = Sin conexión. Se vuelve a intentar…
door-links = Enlaces de puerta
door-links-lead = Quien abre un enlace de puerta en su teléfono puede escanear las entradas de este evento y nada más. No hace falta cuenta.
door-links-empty = Todavía no hay enlaces de puerta
door-links-empty-lead = Crea uno para cada puerta o para cada grupo que escanea. Se muestra una sola vez, como enlace y como código QR.
door-link-new = Nuevo enlace de puerta
door-link-make = Crear el enlace
door-link-made = Enlace de puerta
door-link-made-title = El enlace «{ $name }» está listo
door-link-once = Repártelo ahora o cópialo: no se vuelve a mostrar.
door-link-hand-out = Que quienes están en la puerta escaneen este código con su teléfono, o envíales el enlace. Abre el escáner.
door-link-qr = Código QR que abre el escáner
door-link-kept = Ya lo he repartido
door-link-works = funciona
door-link-ended = terminado
door-link-expired = caducado
door-link-revoked = revocado
door-admits = Admite
door-everything = Todo
door-whole-category = Todo lo de esta clase
door-stations = Puestos
door-any-station = Cualquiera; el personal escribe el suyo
door-pin = PIN
door-pin-told = Dilo por otro medio que el enlace.
door-hint-label = Para qué es, por ejemplo «Puerta principal».
door-hint-admits = Elige clases, tipos de entrada sueltos o ambas cosas. Sin elegir nada, admite todo.
door-hint-stations = Uno por línea, por ejemplo «Puerta 1». Sin ninguno, el personal escribe dónde está.
door-hint-pin = De 4 a 12 cifras que el teléfono pide una vez. Déjalo vacío para no usar ninguno.
door-hint-expires = Cuándo deja de funcionar por sí solo. Déjalo vacío para que no caduque.
door-wrong-stations = Escribe un nombre por línea, 200 líneas como mucho.
door-wrong-pin = Escribe de 4 a 12 cifras, o nada.
door-wrong-moment = Elige una fecha y una hora, o nada.
door-wrong-moment-past = Esa hora ya ha pasado.
door-wrong-ticket-type = Uno de esos tipos de entrada ya no existe. Elige otra vez.
door-revoke-title = ¿Revocar el enlace «{ $name }»?
door-revoke-lead = Los teléfonos que lo usan dejan de escanear al momento. Lo que un teléfono haya guardado sin cobertura necesitará otro enlace.
door-revoke-button = Revocar el enlace
done-door-link-revoked = El enlace se ha revocado. El próximo escaneo con él se rechaza.

# Los informes.
reports-lead = Cifras que se llevan según ocurren las cosas: están al día y salen rápido por mucho que se venda.
report-sales = Ventas
report-sales-about = Lo vendido y reembolsado, por día, artículo y canal. Un pedido cuenta cuando se paga, y su reembolso cuando se reembolsa.
report-entries = Curva de entrada
report-entries-about = Cuándo entró la gente. No cuentan las entradas anuladas, reembolsadas u ocultas después de entrar.
report-no-shows = Ausencias
report-no-shows-about = Entradas válidas con las que nadie ha entrado.
report-stock = Vendido y emitido
report-stock-about = Lo que cuenta como vendido junto a las entradas vigentes, y lo que queda.
report-event = Evento
report-all-events = Todos los eventos
report-choose-event = Elige un evento
report-from = Desde
report-to = Hasta
report-show = Mostrar
report-file = Sacar como CSV
report-table = Las cifras
report-total = En total
report-units = Vendidas
report-gross = Bruto
report-refunded-units = Unidades reembolsadas
report-refunded = Reembolsado
report-net = Neto
report-by-day = Por día
report-by-week = Por semana
report-by-item = Por artículo
report-by-event = Por evento
report-by-channel = Por canal
report-day = Día
report-item = Artículo
report-channel = Canal
report-time = Hora
report-channel-shop = Tienda
report-channel-box-office = Taquilla
report-channel-import = Importación
report-channel-unknown = No se sabe
report-more-lines = { $count ->
    [one] Hay uno más en el archivo.
   *[other] Hay { $count } más en el archivo.
}
report-nothing-sold = No se vendió nada en estos días
report-nothing-sold-about = Elige otros días u otro evento.
report-days-in = Los días y las horas son los de { $zone }.
report-days-of-events = Los días de cada evento son los de su propia zona horaria.
report-wrong-day = Esto no es un día. Elige uno de 1980 a 2200.
report-wrong-order = El último día es anterior al primero.
report-too-long = { $days ->
    [one] Un informe abarca un día como mucho.
   *[other] Un informe abarca { $days } días como mucho.
}
report-too-much = Es demasiado para un solo informe. Elige menos días o un solo evento.
report-nobody-entered = Nadie ha entrado en estos días
report-entered = Han entrado
report-peak = Vinieron más a las
report-per-step = { $minutes ->
    [one] En un minuto
    [1440] En un día
   *[other] En { $minutes } minutos
}
report-entered-per-step = Entradas de público
report-entered-in-all = Han entrado hasta el momento
report-tickets = Entradas
report-ticket-type = Tipo de entrada
report-missing = No han entrado
report-not-over = El evento no ha terminado. Quien no ha entrado aún puede venir.
report-not-over-short = sin terminar
report-no-tickets = Aún no hay tipos de entrada
report-no-items = Aún no hay nada a la venta
report-limit = Límite
report-sold = Vendidas
report-held = Reservadas
report-left = Quedan
report-live = Entradas vigentes
report-from-bundles = De paquetes
report-agrees = Cuadra
report-yes = sí
report-no = no
report-bundle = paquete
report-stock-note = Las entradas vigentes son válidas o han entrado. Las que no se vendieron directamente salieron de paquetes: entradas vigentes menos lo vendido. Si una línea no cuadra, pide a quien lleva este servicio que ejecute taquilla check.

# Las exportaciones.
action-data-exported = Datos sacados
action-database-restored = Restaurado desde una copia de seguridad
export-lead = Saca lo que tienes, como tabla para una hoja de cálculo o como JSON Lines para un programa. Por mucho que sea, el archivo empieza enseguida.
export-masked = Tu rol no muestra datos personales: los nombres, las direcciones, los documentos y los códigos de las entradas van ocultos en estos archivos.
export-note = Los archivos CSV son para hojas de cálculo: llevan la marca de UTF-8 para Excel, y un texto que una hoja tomaría por una fórmula lleva un apóstrofo delante. JSON Lines tiene las filas como las muestra la API, con las horas en UTC. Un archivo que se corta está incompleto: el navegador lo dice.
export-tickets = Entradas
export-tickets-about = Todas las entradas listadas, las más nuevas primero. Los días son los de emisión.
export-orders = Pedidos
export-orders-about = Todos los pedidos con su comprador y sus artículos, los más nuevos primero. Los días son aquellos en que se hicieron.
export-scans = Lecturas
export-scans-about = Todos los intentos de entrar que aún se guardan, enlace por enlace, los más antiguos primero.
export-payments = Pagos
export-payments-about = Todos los pagos comunicados, sea cual sea su resultado, los más antiguos primero.
export-status = Estado
export-any-status = Cualquiera
export-zone = Las horas de la tabla
export-zone-event = Según los relojes del evento
export-tickets-valid = Válida
export-tickets-scanned = Ha entrado
export-tickets-transferred = Traspasada
export-tickets-refunded = Reembolsada
export-tickets-cancelled = Anulada
export-orders-pending = Pendiente
export-orders-approved = Aprobado
export-orders-rejected = Rechazado
export-orders-refunded = Reembolsado
export-scans-admitted = Admitida
export-scans-already_scanned = Ya había entrado
export-scans-transferred = Traspasada
export-scans-cancelled = Anulada
export-scans-refunded = Reembolsada
export-scans-unknown = Código desconocido
export-scans-wrong_event = Otro evento
export-scans-not_here = No en esta puerta
export-scans-turned_away = Rechazada sin conexión

# Las importaciones y los trabajos largos.
back-to-event = Volver al evento
refund-all = Reembolsar todos los pedidos
refund-all-lead = Se reembolsan uno tras otro todos los pedidos aprobados de este evento. No se puede deshacer.
refund-all-tickets = Todas las entradas de estos pedidos dejan de valer, también las traspasadas.
refund-all-money = Taquilla anota los reembolsos y avisa a tus sistemas por webhook. El dinero se devuelve desde tu procesador de pagos.
refund-all-pending = Los pedidos pendientes ya no se pueden pagar, porque el evento está cancelado. Lo que aun así llegue por ellos aparece entre los pagos por devolver.
refund-all-stop = Puedes parar cuando quieras y seguir más tarde. Mientras tanto, la venta de tus otros eventos continúa.
refund-all-button = Reembolsar todos los pedidos ahora
refund-all-before = Empezados antes
refund-done = Reembolsados
refund-failed = Sin reembolsar
refund-orders = Pedidos
refund-orders-none = Todavía no hay pedidos.
refund-show-all = Ver todos los pedidos
refund-number = N.º
refund-order = Pedido
refund-result = Resultado
refund-order-open = reembolsándose
refund-order-refunded = reembolsado
refused-event_not_cancelled = El evento no está cancelado. Cancélalo antes; después se pueden reembolsar sus pedidos.
action-event-refund-begun = Reembolso de todos los pedidos empezado
action-event-refund-stopped = Reembolso de todos los pedidos parado
done-refund-stopped = Parado. Lo reembolsado queda reembolsado.
work-progress = Progreso
work-begun = Empezado
work-by = Por
work-finished = Terminado
work-stop = Parar
work-go-on = Seguir
work-state-uploading = llegando
work-state-checking = comprobándose
work-state-checked = comprobado, sin importar
work-state-running = en marcha
work-state-stopped = parado
work-state-done = hecho
work-state-faulty = tiene un error
work-state-given_up = descartado
imports = Importaciones
imports-lead = Incorpora eventos, tipos de entrada, pedidos y entradas como JSON Lines. Primero se comprueba el archivo; nada se importa hasta que lo digas, y entonces todo o nada.
imports-open = Importar un archivo
imports-before = Archivos anteriores
import-file = Archivo
import-file-hint = JSON Lines, hasta { $mb } MB. Los archivos mayores, por la línea de comandos.
import-check = Subir y comprobar
import-no-file = Elige un archivo que no esté vacío.
import-not-text = No es un archivo de texto en UTF-8.
import-too-large = El archivo es demasiado grande para esta página. Usa la línea de comandos: taquilla import.
import-size = Tamaño
import-kilobytes = { $count } kB
import-fault = No se ha importado nada. Antes hay que corregir esto:
import-line = Línea
import-field = Campo
import-message = Qué falla
import-again = Subir otra vez el archivo
import-before = El mismo archivo se importó el { $at }. Importarlo otra vez no cambia nada.
import-preview = Lo que trae
import-brings = Lo que trae
import-what-happens = Mientras se guardan las filas, las ventas y los escaneos esperan un momento.
import-now = Importar ahora
import-give-up = No importar
import-events = Eventos
import-ticket-types = Tipos de entrada
import-bundles = Paquetes
import-orders = Pedidos
import-tickets = Entradas
done-import-given-up = El archivo se ha descartado. No se ha importado nada.

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
waiting-conflicts = { $count ->
    [one] persona entró sin cobertura y el servidor la habría rechazado
   *[other] personas entraron sin cobertura y el servidor las habría rechazado
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

# Las filas que hay detrás de las cifras.
report-orders-sold = Vendido
report-orders-refunded = Reembolsado
report-orders-none = Ningún pedido
list-further = Nada entre los que se han mirado hasta aquí. Hay más antiguos.
list-file-lines = Sacar como JSON Lines
tickets-of-type = Solo { $name }.
tickets-of-all-types = Mostrar todos los tipos
tickets-live = válida o ya dentro
item-sold-by-day = Vendido por día

# Personal data.
people-lead = Alguien pregunta qué guardas de él o quiere que lo borres: búscalo por un dato.
person-by = Buscar por
person-by-email = Correo electrónico
person-by-document = Documento de identidad
person-detail = Correo o número
person-detail-hint = Las mayúsculas no importan, ni los espacios y guiones de un documento.
person-find = Buscar
person-found = Una persona
person-other = Buscar a otra persona
person-nothing = No se guarda nada de esta persona
person-nothing-lead = Ningún pedido ni ninguna entrada tiene este dato. Los nombres solos se buscan en Pedidos y Entradas.
wrong-person = Escribe un correo electrónico o el número de un documento.
held-orders = Pedidos
held-tickets = Entradas
held-named = Nombrada en pedidos en espera
held-emails = Otros correos en ellos
held-documents = Otros documentos en ellos
held-others = Otros datos pueden ser de la misma persona, o de alguien para quien compró. Búscalos uno por uno.
held-in-team = Esta persona está en tu equipo. La cuenta no se borra: sácala del equipo o pide a quien lleva este servicio que la desactive. Lo que hizo el personal sigue en el historial.
person-export = Entregarlo
person-export-about = Un archivo JSON con todos los pedidos, pagos, entradas y accesos de esta persona.
person-export-button = Descargar
person-export-masked = Tu rol no muestra datos personales, así que no puedes entregarlos.
person-too-much = Es demasiado para esta página. Usa la línea de órdenes: taquilla person export.
person-erase = Borrarlo
person-erase-about = El comprador o asistente de estos pedidos y entradas se sustituye por nadie. No se puede deshacer.
person-erase-stays = Los pedidos, las entradas y todas las cuentas siguen, y las entradas siguen abriendo la puerta.
person-erase-mirrors = Los sistemas que siguen tu API o tus webhooks ven el cambio. Lo que hayan copiado lo tienen que borrar ellos.
person-erase-backups = Las copias de seguridad anteriores tienen a la persona hasta que se eliminen.
person-pending = { $count ->
    [one] Hay 1 pedido pendiente de pago. Aún se puede pagar, pero no habrá a quién escribir.
   *[other] Hay { $count } pedidos pendientes de pago. Aún se pueden pagar, pero no habrá a quién escribir.
}
person-valid = { $count ->
    [one] 1 entrada aún puede pasar. La puerta no mostrará ningún nombre.
   *[other] { $count } entradas aún pueden pasar. La puerta no mostrará ningún nombre.
}
person-sure = Me he asegurado de que es esta persona quien lo pide
person-erase-button = Borrar ahora
wrong-sure = Asegúrate de quién lo pide y márcalo aquí.
erasures-before = Borrado antes
erasure-what = Qué
erasure-rows = Filas
erasure-kind-erasure = Una persona
erasure-kind-retention = Personas de eventos antiguos
erased-orders = Pedidos
erased-tickets = Entradas
erased-named = Nombrada en pedidos en espera
erased-answers = Copias de respuestas
erased-messages = Copias de mensajes
erased-files = Archivos que esperaban a importarse, descartados
retention = Cuánto se guardan las personas
retention-about = Lo que se sabe de compradores y asistentes puede borrarse solo, un tiempo después de su evento. Los pedidos, las entradas y las cuentas siguen.
retention-days = Días tras el final de un evento
retention-days-hint = Vacío: siempre. Deja tiempo para reembolsos y disputas de pagos.
retention-is = { $count ->
    [one] Los compradores y asistentes se borran 1 día después del final de su evento.
   *[other] Los compradores y asistentes se borran { $count } días después del final de su evento.
}
retention-none = Los compradores y asistentes se guardan siempre.
retention-change = Cambiarlo
wrong-retention = Escribe un número de días de 1 a { $count }, o nada.
action-person-erasure-begun = Borrado de una persona iniciado
action-person-erased = Persona borrada
action-person-exported = Entregado lo que se guarda de una persona
action-producer-retention-changed = Cambiado cuánto se guardan las personas
