# What buyers read: the front page, and the pages of a shop.

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
front-from = desde { $price }
front-free = gratis

shop-title = Eventos de { $producer }
shop-nothing = Ahora mismo no hay nada a la venta. Vuelve pronto.
shop-no-more = No hay más eventos.
shop-more = Más eventos
shop-from-the-first = Volver a los próximos eventos
shop-no-date = Aún no hay fecha
shop-tickets = Entradas
shop-no-items = Ahora mismo no hay entradas a la venta.
shop-free = Gratis
shop-includes = Incluye
shop-saves = { $amount } menos que por separado.
shop-few-left = Quedan pocas
shop-most = { $count ->
    [one] Una por pedido.
   *[other] Hasta { $count } por pedido.
}
shop-until = A la venta hasta el { $time }.
shop-sold-out = Agotado
shop-held = Reservado por otros
shop-held-about = Otras personas han reservado lo último que queda y puede que no lo paguen. Vuelve a mirar a las { $time }.
shop-ended = Ya no está a la venta
shop-ended-about = Su venta terminó el { $time }.
shop-cancelled = Este evento está cancelado
shop-cancelled-about = No se puede comprar nada. Quien ya tenga entradas recibirá noticias del organizador sobre su dinero.
shop-over = Este evento ya ha pasado. No se puede comprar nada.
shop-how-many = Cuántas
shop-steps = Pasos
shop-step-choose = Elegir
shop-step-details = Tus datos
shop-step-review = Revisar y confirmar
shop-chosen = Lo que has elegido
shop-choose-else = Elegir otra cosa
shop-buyer = Quién compra
shop-name-hint = Como debe figurar en las entradas.
shop-email-hint = El organizador escribirá aquí si cambia algo.
shop-phone = Teléfono (opcional)
shop-phone-short = Teléfono
shop-nothing-yet = Todavía no se compra ni se reserva nada. En la página siguiente lo ves todo una vez más.
shop-total = Total
shop-free-about = No cuesta nada. Al confirmar, las entradas son tuyas al momento.
shop-hold-about = Al confirmar, te lo reservamos { $count } minutos para que puedas pagar. Confirmar no cobra nada.
shop-confirm-free = Conseguir las entradas
shop-confirm = Reservar y pagar
shop-wrong-quantity = Escribe cuántas con un número entero, como 2.
shop-choose-something = Elige cuántas quieres de al menos una cosa.
shop-gone = Algo de lo que elegiste ya no está a la venta. Mira lo que queda y sigue adelante.
shop-too-many = { $count ->
    [one] Un pedido puede tener una de estas.
   *[other] Un pedido puede tener { $count } de estas como máximo.
}
shop-too-many-kinds = Son demasiadas cosas distintas para un pedido. Haz dos.
shop-now-sold-out = Ya no queda bastante de esto. Elige menos o ninguna.
shop-now-ended = La venta de esto ha terminado.
shop-too-many-unpaid = Tienes demasiados pedidos sin pagar. Paga uno o vuelve a intentarlo a las { $time }.
shop-wrong-order = Es demasiado para un solo pedido. Elige menos.
shop-no-name = Escribe tu nombre.
shop-wrong-name = Escribe un nombre de una línea, con 200 caracteres como máximo.
shop-wrong-phone = Escribe un teléfono de 40 caracteres como máximo, o ninguno.
bought-held = Reservado para ti
bought-held-until = { $count ->
    [0] Está reservado hasta las { $time }: queda menos de un minuto.
    [one] Está reservado hasta las { $time }: queda un minuto.
   *[other] Está reservado hasta las { $time }: quedan { $count } minutos.
}
bought-not-charged = Todavía no se ha cobrado nada.
bought-pay = Cómo pagar
bought-pay-about = Paga { $total } a { $producer } e indica el número de este pedido.
bought-pay-then = En cuanto conste el pago, tus entradas estarán en esta página. Guarda su dirección y vuelve a cargarla.
bought-unpaid = Se acabó el tiempo para pagar
bought-unpaid-about = No se ha cobrado nada. Lo reservado vuelve a estar a la venta para todos.
bought-unpaid-late = Si aun así has pagado, { $producer } te dará las entradas o te devolverá el dinero.
bought-paid = Pagado
bought-paid-about = Se han pagado { $total }. Las entradas son tuyas.
bought-paid-at = El pago consta desde el { $time }.
bought-free = Las entradas son tuyas
bought-free-about = No cuestan nada y no se ha cobrado nada.
bought-rejected = Este pedido no se aceptó
bought-rejected-about = No tiene entradas y no hay nada reservado.
bought-rejected-paid = Si lo has pagado, { $producer } te devolverá el dinero.
bought-refunded = Reembolsado
bought-refunded-about = Sus entradas ya no valen.
bought-goes-back = Se te devuelven { $amount }. { $producer } aún no ha anotado la devolución.
bought-went-back = { $amount } se devolvieron el { $time }.
bought-cancelled = { $producer } te dirá qué pasa con tu dinero.
bought-again = Pedirlo otra vez
bought-again-about = Todo lo que escribiste ya está puesto.
bought-tickets = Tus entradas
bought-tickets-about = Enseña el código en la puerta, en el móvil o en papel. Entra quien lo enseña primero, así que no se lo des a nadie.
bought-more-tickets = Más entradas
bought-placed = Pedido el
bought-keep = Guarda la dirección de esta página. Es el camino de vuelta a tu pedido, y quien la tenga ve lo mismo que tú.
bought-title = Tu pedido n.º { $number }
bought-extend = Guardarlo { $count } minutos más
bought-extend-once = Puedes hacerlo una vez, antes de que acabe el plazo.
shop-about = Próximos eventos de { $producer } y sus entradas.
shop-not-yet = Aún no está a la venta
shop-not-yet-about = Su venta empieza el { $time }.
shop-too-few = { $count ->
    [one] Un pedido tiene al menos una de estas.
   *[other] Un pedido tiene al menos { $count } de estas.
}
shop-least = Como mínimo { $count }.
shop-coupon = Código de cupón (si tienes uno)
shop-coupon-refused = Este cupón no vale para lo que has elegido. Quítalo o escribe otro.
shop-coupon-used = Cupón { $code }
shop-attendees = Quién viene
shop-attendees-about = Las entradas irán a estos nombres.
shop-mine = Esta es para mí
shop-too-many-attendees = Elige { $count } entradas como máximo, para poder poner todos los nombres. Si sois más, haz varios pedidos.
shop-no-attendee = Escribe el nombre de la persona { $number }.
shop-no-attendee-email = Escribe un correo de la persona { $number }, como ana@example.com.
shop-terms = Condiciones
shop-terms-read = Leer las condiciones (se abre en otra pestaña)
shop-terms-accept = Acepto las condiciones de { $producer }
shop-terms-accepted = Has aceptado las condiciones de { $producer }.
shop-no-terms = Lee las condiciones y marca la casilla para aceptarlas.
bought-pay-now = Pagar { $total }
bought-pay-there = Se paga en la página de un procesador de pagos, que te trae de vuelta aquí. Mientras tanto, tu reserva se mantiene.
bought-pay-open = Se empezó un pago y todavía no se ha pagado nada.
bought-pay-failed = El pago no funcionó y no se cobró nada. Inténtalo otra vez o paga de otra manera.
bought-pay-closed = El pago se dejó antes de terminar y no se cobró nada.
bought-pay-waits = Tu pago está en camino. Tus entradas aparecen en esta página en cuanto llegue, y hasta entonces están reservadas.
bought-pay-look = Mirar otra vez
bought-in-vain = Llegaron { $amount } para este pedido y no pagaron nada: ya estaba pagado o no quedaba nada. { $producer } te los devuelve o te da las entradas.
made-up-title = Pago de mentira
made-up-warning = Esto es una demostración. Aquí no se mueve dinero: elige qué pasa con el pago.
made-up-pay = Pagar
made-up-pay-about = El dinero llega en el momento y el pedido tiene sus entradas.
made-up-refuse = Que lo rechacen
made-up-refuse-about = El banco dice que no. El pedido se puede pagar otra vez.
made-up-late = Pagar tarde
made-up-late-about = Ahora no se paga nada. El dinero llega un minuto después de que termine la reserva y se queda con las entradas si todavía las hay.
made-up-twice = Pagar dos veces
made-up-twice-about = El primer pago compra las entradas. El segundo queda en la lista del equipo como dinero que devolver.
made-up-over = Este pago ha terminado.
made-up-back = Volver al pedido

# La fila de un evento que muchos quieren comprar.
line-title = Estás en la fila
line-before = { $count ->
    [0] Es tu turno enseguida.
    [one] Hay una persona delante de ti.
   *[other] Hay { $count } personas delante de ti.
}
line-lasts = { $minutes ->
    [1] Es menos de un minuto.
   *[other] Son unos { $minutes } minutos.
}
line-about = Muchísima gente quiere comprar ahora. Pasa cada quien en el orden en que llegó. Esta página vuelve a mirar sola y sigue cuando es tu turno. Cargarla otra vez o abrirla dos veces no cambia nada; tu lugar está en este navegador, así que deja activadas las cookies.
line-look = Mirar ahora
line-nothing-yet = Todavía no hay nada reservado. Si se vende todo antes de tu turno, esta página lo dice.
line-form = Muchísima gente quiere comprar ahora, y estás en la fila. No se pierde nada de lo que escribiste: sigue desde aquí cuando sea tu turno.
