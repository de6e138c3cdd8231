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

websites = Webs que venden con tu tienda
websites-about = Las páginas de estas webs pueden mostrar lo que está a la venta y hacer pedidos a través de la API de la tienda, desde el navegador de quien las visita. La página propia de tu tienda no necesita nada aquí.
websites-label = Webs, una por línea
websites-hint = Por ejemplo https://www.example.org, sin ninguna página detrás.
websites-change = Webs que venden con tu tienda
wrong-website = «{ $text }» no es una web. Escríbela como https://www.example.org, sin ninguna página detrás.
wrong-websites = Pon { $count } webs como máximo.
