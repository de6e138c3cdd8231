# The overview, and what waits there.

overview-second-factor = Tu cuenta no tiene verificación en dos pasos. Con ella, una contraseña robada no abre nada.
first-steps = Tu primer evento
first-step-done = hecho
first-step-event = Crea el evento
first-step-event-about = Su nombre, dónde es y cuándo empieza. Nadie fuera de tu equipo lo ve hasta que lo publiques.
first-step-event-button = Crear el primer evento
first-step-items = Di qué vende
first-step-items-about = Entradas como «General», cosas de la barra y paquetes de ellas, cada una con su precio y cuántas hay.
first-step-items-button = Añadir el primer tipo de entrada
first-step-publish = Publícalo
first-step-publish-about = Míralo todo una vez más. Desde ese momento está a la venta.
first-step-publish-button = Mirarlo y publicarlo
first-step-tell = Cuéntalo
first-step-tell-about = Está a la venta. La gente compra en la dirección de abajo: ponla donde la vean. También puedes vender en taquilla.
first-step-tell-button = Vender en taquilla
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

overview-waiting = Te espera
overview-nothing-waits = No hay nada pendiente.
overview-tonight = Hoy
overview-nothing-tonight = Hoy no hay ningún evento.
overview-next = Próximos
overview-entered = han entrado
sold-ticket = entradas vendidas
sold-merchandise = de barra y tienda vendidas
sold-bundle = paquetes vendidos
sold-left = { $count ->
    [one] queda 1
   *[other] quedan { $count }
}
sold-no-limit = sin límite
sold-revenue = ingresos, menos reembolsos
overview-revenue-today = Hoy, menos reembolsos
overview-revenue-days = En estos 14 días, menos reembolsos
overview-sales = Ventas de los últimos 14 días
overview-units = Unidades vendidas por día, en bruto
overview-as-table = Como tabla
overview-day = Día
overview-refunded = devueltas
overview-open-sales = Ver las ventas
waiting-payments = { $count ->
    [one] pago no paga nada: hay que resolverlo
   *[other] pagos no pagan nada: hay que resolverlos
}
waiting-pay-backs = { $count ->
    [one] reembolso está por devolver
   *[other] reembolsos están por devolver
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
    [one] invitación caduca en un día
   *[other] invitaciones caducan en un día
}
waiting-keys = { $count ->
    [one] clave de la API caduca en una semana
   *[other] claves de la API caducan en una semana
}
