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
wrong-detail = Escribe un correo electrónico o el número de un documento.
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
retention-sure = Borrar a las personas de los eventos que terminaron hace más tiempo; nadie las recupera
retention-is = { $count ->
    [one] Los compradores y asistentes se borran 1 día después del final de su evento.
   *[other] Los compradores y asistentes se borran { $count } días después del final de su evento.
}
retention-none = Los compradores y asistentes se guardan siempre.
retention-change = Cambiarlo
wrong-retention-sure = Esto borra personas, en menos de una hora y para siempre. Confirma aquí que es lo que quieres.
wrong-retention = Escribe un número de días de 1 a { $count }, o nada.
