# Tickets and search.

ticket = Entrada
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
moment-noted = nota para la puerta cambiada
moment-cancelled-by-staff = anulada por el equipo
moment-passed-on-by-staff = traspasada por el equipo
moment-station = en
moment-link = por
moment-phone = según el reloj del teléfono
moment-by = por
ticket-cancel = Anular la entrada
ticket-cancel-about = Ya no vale en la puerta y vuelve a estar a la venta. No se puede deshacer. El dinero se devuelve solo reembolsando el pedido.
ticket-hide = Ocultar la entrada
ticket-hide-about = Sale de todas las listas y cuentas y sigue valiendo en la puerta. Es para pruebas y personal. No se puede deshacer.
ticket-note = Nota para la puerta
ticket-note-about = El escáner la muestra al escanear esta entrada, además de la nota de su tipo de entrada, también en teléfonos sin señal. Déjala vacía si no hace falta.
ticket-note-covered = Hay una nota que no puedes ver. Lo que guardes la sustituye.
hint-ticket-door-note = Por ejemplo «VIP» o «menor de 18»: una línea corta. No escribas sobre una persona más de lo que la puerta necesita. Se borra con los datos del asistente, y una entrada que se traspasa la pierde.
ticket-pass-on = Traspasar la entrada
ticket-pass-on-about = El nuevo titular recibe una entrada con un código nuevo. El código anterior deja de valer al momento.
ticket-keep = Dejarla como está
done-ticket-cancelled = La entrada está anulada.
done-ticket-hidden = La entrada está oculta.
done-ticket-noted = La nota para la puerta está guardada.
done-ticket-passed-on = La entrada está traspasada. Esta es la nueva.

tickets-of-type = Solo { $name }.
tickets-of-all-types = Mostrar todos los tipos
tickets-live = válida o ya dentro
