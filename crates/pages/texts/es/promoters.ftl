# Promotores: sus páginas en el panel, y la página que abre su propio enlace.

promoter = Promotor
promoters = Promotores
promoters-lead = Quienes venden este evento para ti. Cada uno tiene un enlace a la tienda que dice quién vendió, y una página propia con lo que vendió.
promoters-empty = Todavía no hay promotores
promoters-empty-lead = Crea uno por cada persona que corre la voz. Ves lo que vende cada uno, y cada uno puede regalar algunas entradas.
promoters-about = Lo vendido y el neto son sin lo reembolsado. Las entradas regaladas no cuestan nada y se cuentan aparte.
promoter-new = Promotor nuevo
promoter-make = Crear el promotor
promoter-hint-name = Como aparece en los informes. Los compradores lo ven en su pedido.
promoter-complimentary = Entradas para regalar
promoter-hint-complimentary = Cuántas entradas puede regalar, de las que están a la venta o son exclusivas. 0 es ninguna.
promoter-wrong-complimentary = Escribe un número entero de 0 a { $most }.
promoter-given = Regaladas
promoter-given-of = { $given } de { $all }
promoter-sells = vende
promoter-ended = terminado
promoter-shop-link = Enlace a la tienda
promoter-shop-link-show = Ver el enlace
promoter-shop-link-about = Es el que difunde. Lleva a la tienda, y lo que se compra allí cuenta como suyo. No abre nada más, y lo vuelves a encontrar en la lista.
promoter-shop-qr = Código QR del enlace a la tienda
promoter-links = Enlaces de un promotor
promoter-links-of = Los enlaces de { $name }
promoter-once = Entrega ahora el primer enlace: no se vuelve a mostrar. Si se pierde, crea uno nuevo.
promoter-own-link = Su página propia
promoter-own-link-about = Quien tiene este enlace ve lo que vendió el promotor, y regala las entradas que este puede regalar. No muestra a ningún comprador. Envíaselo solo al promotor.
promoter-own-qr = Código QR de su página propia
promoter-kept = Ya lo he entregado
promoter-renew = Enlace nuevo
promoter-renew-title = Un enlace nuevo para { $name }
promoter-renew-lead = El enlace a su página que tiene ahora deja de funcionar enseguida, y recibes uno nuevo. El enlace a la tienda sigue igual.
promoter-renew-button = Crear un enlace nuevo
promoter-end = Terminar
promoter-end-title = Terminar con { $name }
promoter-end-lead = Su página se cierra, ya no regala nada, y lo que se compra por su enlace a la tienda no cuenta como de nadie. El enlace a la tienda sigue vendiendo. Lo que vendió y regaló queda como está. Esto no se puede deshacer.
promoter-end-button = Terminar con el promotor
done-promoter-ended = El promotor ha terminado. Su página está cerrada.

report-promoters = Promotores
report-promoters-about = Lo que se vendió por el enlace de cada promotor y se reembolsó, y lo que regaló. Las entradas regaladas no cuestan nada y aquí no cuentan como vendidas.
report-channel-promoter = Regaladas por promotores
channel-promoter = regalado por un promotor

promoter-page-sold = Entradas vendidas
promoter-page-net = Neto
promoter-page-left = Quedan por regalar
promoter-page-link = Tu enlace a la tienda
promoter-page-link-about = Difunde este. Todo lo que se compra por él cuenta como tuyo. A nadie le muestra esta página.
promoter-page-qr = Código QR de tu enlace a la tienda
promoter-page-give = Regalar entradas
promoter-page-given-of = { $given } de { $all } están regaladas.
promoter-page-give-about = No cuestan nada. Si el organizador cancela o reembolsa una, la puedes volver a regalar.
promoter-page-none-left = Ya las ha regalado todas.
promoter-page-nothing-offered = Ahora mismo no hay nada que regalar.
promoter-page-item = Qué entrada
promoter-page-quantity = Cuántas
promoter-page-guest = Nombre del invitado
promoter-page-email-hint = Las entradas van a nombre de esta persona.
promoter-page-give-button = Regalarlas
promoter-page-by-item = Por entrada
promoter-page-by-day = { $days ->
    [one] El último día
   *[other] Los últimos { $days } días
}
promoter-page-nothing = Todavía no se ha vendido nada.
promoter-page-what = Entrada
promoter-page-day = Día
promoter-page-sold-gross = Vendido
promoter-page-refunded = Reembolsado
promoter-page-given = Regaladas
promoter-page-about = Un pedido cuenta cuando se paga. El neto es lo pagado menos lo reembolsado. Esta página es solo tuya: quien tiene su dirección la puede abrir.
promoter-page-days-in = Los días son los de { $zone }.
promoter-wrong-guest = Escribe el nombre del invitado, con 200 caracteres como máximo.
promoter-wrong-item = Elige una entrada.
promoter-wrong-quantity = Escribe un número entero de 1 como mínimo.
promoter-left-only = { $count ->
    [0] No te queda ninguna por regalar.
    [one] Te queda una por regalar.
   *[other] Te quedan { $count } por regalar.
}
promoter-too-many = Un invitado puede recibir { $most } como máximo.
promoter-held = Ahora mismo hay compradores que tienen reservado todo lo que queda. Prueba dentro de un rato.
promoter-given-title = Regaladas
promoter-given-for = Entradas para { $name }
promoter-given-once = Copia ahora este enlace: esta página no se vuelve a mostrar.
promoter-given-about = Abre las entradas con sus códigos. Envíaselo solo a tu invitado: quien lo tiene puede entrar.
promoter-given-back = Volver a tu página

refused-promoter_refused = Este promotor no puede regalar entradas.
refused-contingent_used_up = El promotor puede regalar menos entradas que esas.

action-promoter-created = Promotor creado
action-promoter-link-renewed = Enlace nuevo para un promotor
action-promoter-ended = Promotor terminado
