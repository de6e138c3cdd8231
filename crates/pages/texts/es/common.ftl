# What several faces say: buttons, labels, errors as pages, what is wrong or refused, and how things stand.

# What the language calls itself.
language-name = Español

skip = Saltar al contenido
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

refused-changed_meanwhile = Otra persona lo ha cambiado entretanto, así que no se ha hecho nada. Mira cómo está ahora y decide de nuevo.

order-pending = por pagar
order-approved = pagado
order-rejected = rechazado
order-refunded = reembolsado
refused-event_not_on_sale = El evento no está a la venta.
refused-sold_out = No quedan suficientes.
refused-held = Otros tienen reservado demasiado. Espera, o toma lo que tienen reservado.
refused-order_not_pending = Alguien ya ha decidido este pedido.
refused-order_not_approved = Solo se puede reembolsar un pedido pagado.
refused-order_has_tickets = El pedido ya tiene entradas; se importaron con él.
refused-idempotency_mismatch = Este formulario ya ha vendido algo. Empieza una venta nueva.

ticket-valid = válida
ticket-scanned = ha entrado
ticket-transferred = traspasada
ticket-cancelled = anulada
ticket-refunded = reembolsada
attempt-admitted = ha entrado
attempt-already-scanned = rechazada: ya había entrado
attempt-transferred = rechazada: traspasada
attempt-cancelled = rechazada: anulada
attempt-refunded = rechazada: reembolsada
attempt-unknown = rechazada: desconocida
attempt-wrong-event = rechazada: otro evento
attempt-not-here = rechazada: no en esta puerta
attempt-turned-away = rechazada sin conexión
refused-ticket_valid = La entrada es válida, y así no se puede.
refused-ticket_scanned = La entrada ya ha entrado, y así no se puede.
refused-ticket_transferred = La entrada ya se traspasó.
refused-ticket_cancelled = La entrada ya está anulada.
refused-ticket_refunded = La entrada ya está reembolsada.

refused-event_not_cancelled = El evento no está cancelado. Cancélalo antes; después se pueden reembolsar sus pedidos.
