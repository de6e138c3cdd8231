# Settings and the service.

settings-lead = Los datos de tu organización. Los eventos que ya existen conservan su zona horaria y su moneda.
producer-id = Identificador
service-lead = Lo que afecta a todas las organizaciones de este servidor. Solo ve esta página quien lo gestiona.
service-history = Lo que no toca a ninguna organización
service-history-lead = Quién ha entrado o lo ha intentado sin éxito y qué se ha hecho con las cuentas. Se muestra lo más reciente.
producers = Organizaciones
producer-new = Nueva organización
producer-make = Crear la organización
users = Cuentas
user-active = activa
enable = Activar
disable = Desactivar
