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
webhook-needs-people = Los mensajes sobre entradas y los que llevan datos personales son para roles que ven datos personales: solo ellos eligen adónde se envían, reciben el secreto y los envían otra vez.
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
kind-ticket-entry-undone = Se deshizo un acceso
kind-ticket-transferred = Se ha traspasado una entrada
kind-ticket-cancelled = Se ha anulado una entrada
kind-ticket-refunded = Se ha reembolsado una entrada
kind-ticket-hidden = Se ha ocultado una entrada
kind-ticket-noted = La nota para la puerta de una entrada cambió
kind-ticket-person-erased = Se ha borrado el asistente de una entrada
kind-order-created = Se ha hecho un pedido
kind-order-approved = Se ha pagado un pedido
kind-order-rejected = Un pedido ya no se va a pagar
kind-order-refunded = Se ha reembolsado un pedido
kind-order-person-erased = Se ha borrado el comprador de un pedido
kind-event-updated = Un evento es nuevo o ha cambiado
kind-ticket-type-updated = Un tipo de entrada es nuevo o ha cambiado
