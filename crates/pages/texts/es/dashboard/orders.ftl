# Orders and the box office.

order = Pedido
order-number = N.º { $number }
orders-search = Buscar pedidos
orders-search-hint = Del comprador o de un asistente, cualquier palabra de un nombre o correo, un teléfono, un documento; el código de una entrada, el número del pedido, su id o su referencia.
orders-search-hint-masked = Por el número, el id o la referencia del pedido. Tu rol no ve datos personales, así que no se buscan nombres ni correos.
orders-empty = Todavía no hay pedidos
orders-empty-lead = Aquí aparecen los pedidos de la tienda y de la taquilla.
order-what = Qué
order-total = Total
order-placed = Hecho
order-id = Id
order-channel = Vendido
order-coupon = Cupón
order-discount = Descontado
order-surcharge = Recargos incluidos
sell-coupon = Cupón
sell-coupon-hint = El código del comprador, si lo hay. «Mostrar el total» dice cuánto queda.
order-promoter = Promotor
channel-shop = en la tienda
channel-box-office = en la taquilla
channel-import = fuera, e importado
order-paid-at = Pagado
order-method = Forma de pago
method-cash = Efectivo
method-card = Tarjeta
method-other = Otra
method-unsaid = Sin indicar
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
order-reject-title = ¿Rechazar este pedido?
order-reject-lead = Ya no se podrá pagar y lo que reserva vuelve a estar a la venta. El dinero que aún llegue para él aparece en los pagos por devolver. No se puede deshacer.
order-reject-button = Rechazar el pedido
order-called-off = El evento está cancelado, así que este pedido no se puede aprobar. Al reembolsar todos los pedidos del evento se rechaza también.
order-refund-title = ¿Reembolsar este pedido?
order-refund-lead = { $count ->
    [0] Ninguna de sus entradas vale ya. El pedido contará como reembolsado.
    [one] Su entrada deja de valer al momento y vuelve a estar a la venta.
   *[other] Sus { $count } entradas dejan de valer al momento y vuelven a estar a la venta.
}
order-refund-money = Esto no mueve dinero. Devuélvelo tú, en tu pasarela de pago o en efectivo. Figura en los pagos, en «Por devolver», hasta que alguien diga allí que se devolvió.
order-refund-entered = { $count ->
    [one] Una entrada de este pedido ya ha entrado.
   *[other] { $count } entradas de este pedido ya han entrado.
}
order-open-payment = Ha llegado dinero para este pedido que aún no paga nada. Quien se ocupa de los pagos puede saldar el pedido con él o devolverlo.
order-pay-back = Por devolver
owed-open = sin devolver
order-refund-button = Reembolsar el pedido
order-refund-how = Cómo se devuelve el dinero
order-refund-later = Más tarde
order-refund-later-about = Figura como por devolver hasta que alguien diga que se devolvió.
order-refund-now = Devuelto ahora: { $method }
order-refund-now-about = Solo si devuelves tú el dinero. Lo que se devuelve en efectivo cuenta en tu turno.
attendees-list = Lista de asistentes
attendees-tick = Aquí
attendees-none = Ninguna entrada de este evento vale.
attendees-cut = El evento tiene más entradas de las que caben aquí. Estas son las { $count } últimas emitidas; la exportación de sus entradas las tiene todas.
sales-any-type = Todos los artículos
sales-any-channel = En todas partes
order-notes = Notas
order-notes-none = Nadie ha escrito nada sobre este pedido.
order-note-new = Nota nueva
order-note-hint = Para tu equipo. Ni los compradores ni las integraciones la ven, y se borra con los datos del comprador.
order-note-write = Escribir la nota
order-note-wrong = Una nota tiene de 1 a { $most } caracteres.
order-notes-full = Este pedido tiene tantas notas como puede tener.
done-order-noted = La nota está escrita.
refund-tickets = Reembolsar entradas sueltas
refund-tickets-title = ¿Qué entradas se reembolsan?
refund-tickets-lead = Dejan de valer y figuran como «anulada», y sus plazas vuelven a estar a la venta. El pedido sigue aprobado. Un paquete se reembolsa como se vendió, con todas sus entradas. No se puede deshacer.
refund-tickets-which = Entradas, y lo que hay que devolver por cada una
refund-tickets-entered = ha entrado
refund-tickets-all = Todas juntas reembolsan el pedido entero, y hay que devolver lo que queda de su pago:
refund-tickets-none = Elige al menos una entrada.
refund-tickets-nothing = Ninguna entrada de este pedido se puede reembolsar
refund-tickets-nothing-lead = Solo se reembolsan una a una las entradas de un pedido pagado que todavía valen. No ha cambiado nada y no se mueve dinero.
refund-tickets-button = Reembolsar estas entradas
done-tickets-refunded = Las entradas están reembolsadas y ya no valen. Lo que hay que devolver figura en los pagos.
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
sell-pay-later-about = El pedido espera y sus entradas quedan reservadas { $time }.
sell-free = Invitación
sell-free-about = Todos los precios son 0.
sell-past-holds = Tomar lo que otros tienen reservado
sell-past-holds-about = Quien lo tiene reservado puede pagar en vano.
sell-buyer = Nombre y contacto (no hace falta)
sell-button = Vender
sell-next = Vender otra vez
sold-already = Esta venta ya estaba hecha
sold-already-lead = Ahora no se ha vendido nada. Este formulario ya vendió, y sus entradas pueden estar en manos de alguien. Para otro cliente, vende otra vez.
sold-already-again = Vender lo mismo otra vez
sold-already-new = Empezar una venta nueva
sell-no-events = No hay evento para vender
sell-no-events-lead = Se puede vender para eventos en borrador o publicados.
sell-no-items = Este evento aún no vende nada
sell-no-items-lead = Dale primero un tipo de entrada.
sell-nothing = Escribe cuántas se venden y de qué.
sell-sold-out = No quedan suficientes de { $item }.
sell-not-on-sale = { $item } no está a la venta.
sell-too-many = Más de { $most } de { $item } en un pedido: confirma abajo para venderlas igualmente.
sell-too-few = Menos de { $fewest } de { $item } en un pedido: confirma abajo para venderlas igualmente.
sell-past-most = Vender otra cantidad que la habitual en un pedido
sell-past-most-about = La tienda se atiene a lo que un pedido puede y debe tener. Aquí el límite es lo que queda.
sell-held = Otros tienen reservadas demasiadas de { $item }. La próxima reserva termina a las { $time }. Espera, o toma lo que tienen reservado.
sell-method = Cómo se paga
sell-given = Entregado en efectivo
sell-given-hint = Si escribes lo que entrega el comprador, verás el cambio. Solo en efectivo.
sell-wrong-given = Escribe un importe entero, como 50.
sell-given-short = Es menos que el total de { $total }.
sell-change = Cambio
sell-missing = Falta
sell-show-total = Mostrar el total
sell-shift = Tu turno está abierto desde { $time }.
sell-no-shift = No tienes un turno abierto: tus ventas se suman por día.
span-minutes = { $count ->
    [one] un minuto
   *[other] { $count } minutos
}
span-hours = { $count ->
    [one] una hora
   *[other] { $count } horas
}
sale-wrong-quantity = Escribe números enteros, como 2.
wrong-person = Los nombres y contactos tienen como mucho 500 caracteres y ningún carácter de control.
print = Imprimir
