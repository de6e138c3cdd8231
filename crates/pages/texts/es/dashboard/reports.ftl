# Reports, and the rows behind figures.

reports-lead = Cifras que se llevan según ocurren las cosas: están al día y salen rápido por mucho que se venda.
report-sales = Ventas
report-sales-about = Lo vendido y reembolsado, por día, artículo y canal. Un pedido cuenta cuando se paga, y su reembolso cuando se reembolsa: lo vendido es bruto, y neto de reembolsos donde lo dice.
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
report-units = Vendidas, bruto
report-gross = Bruto
report-refunded-units = Unidades reembolsadas
report-refunded = Reembolsado
report-net = Neto
report-by-day = Por día
report-by-week = Por semana
report-by-item = Por artículo
report-by-kind = Entradas, barra y paquetes
report-kind = Clase
report-kind-ticket = Entradas
report-kind-merchandise = Barra y tienda
report-kind-bundle = Paquetes
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

report-orders-sold = Vendido, bruto
report-orders-refunded = Reembolsado
report-orders-none = Ningún pedido
report-orders-single = Estos son pedidos reembolsados por completo. La cifra cuenta también entradas sueltas de pedidos que siguen pagados: esas entradas figuran como anuladas.
report-orders-single-open = Ver las entradas anuladas
list-further = Nada entre los que se han mirado hasta aquí. Hay más antiguos.
list-file-lines = Sacar como JSON Lines
