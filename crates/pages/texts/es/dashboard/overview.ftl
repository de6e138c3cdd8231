# The overview, and what waits there.

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
    [one] invitación caduca en una semana
   *[other] invitaciones caducan en una semana
}
waiting-keys = { $count ->
    [one] clave de la API caduca en una semana
   *[other] claves de la API caducan en una semana
}
