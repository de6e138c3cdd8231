# Signing in, links and second factors.

sign-in = Iniciar sesión
sign-out = Cerrar sesión
sign-in-wrong = El correo electrónico y la contraseña no coinciden.
sign-in-ended-page = Tu sesión ha terminado. Entra para seguir donde estabas.
sign-in-ended-form = Tu sesión había terminado antes de enviar el formulario, así que no se ha guardado nada. Entra para volver a él.
form-kept = Lo que escribiste se guarda en esta pestaña durante una hora y vuelve con el formulario. Las contraseñas y los archivos no se guardan.
form-back = Este formulario no se envió porque antes tenías que entrar. Tiene lo que escribiste: revísalo y envíalo.
sign-in-too-many = { $minutes ->
    [one] Demasiados intentos. Espera un minuto y prueba otra vez.
   *[other] Demasiados intentos. Espera { $minutes } minutos y prueba otra vez.
}
sign-in-forgotten = ¿Has olvidado la contraseña? Quien administra tu equipo puede darte un enlace para elegir otra.
sign-in-unbegun = Aquí nadie puede entrar todavía. Al arrancar, el servidor escribió un enlace para empezar en su registro, o en la terminal desde la que se inició. Abre ese enlace; cada arranque hace uno nuevo.
second-factor = Verificación en dos pasos
second-factor-lead = Escribe el código que muestra tu aplicación de autenticación.
second-factor-lost = ¿No tienes el teléfono a mano? Escribe uno de tus códigos de recuperación. Cada uno sirve una sola vez.
confirm-title = Tu contraseña, por favor
confirm-lead = Lo que viene ahora puede hacer daño en malas manos, así que confirma que eres tú.
confirm-wrong = Esa no es tu contraseña.
dead-link = Este enlace ya no funciona
dead-link-lead = Ya se usó, ha caducado o se retiró. Pide uno nuevo a quien te lo dio.
begin-title = Empezar
begin-lead = Crea tu cuenta, la primera de administración, y la organización que vende. Este enlace sirve una sola vez.
begin-you = Tú
begin-producer = Tu organización
begin-button = Empezar
join-page = Unirse a un equipo
join-title = Únete al equipo de { $producer }
join-lead = La invitación es para { $email }. Elige una contraseña para iniciar sesión.
join-as = Has iniciado sesión como { $email }.
join-other = Cerrar sesión y unirme con otra cuenta
join-sign-in-first = { $email } ya tiene cuenta aquí. Inicia sesión y volverás a esta página.
join-has-account = ¿Ya tienes cuenta?
join-has-account-link = Inicia sesión y volverás a esta página.
join-only = Esta invitación es para { $email }. Inicia sesión con esa cuenta.
join-button = Unirme
choose-password = Elige una contraseña
choose-password-lead = Para { $email }. Se cerrarán todas las sesiones abiertas.
choose-password-button = Guardar la contraseña
demo-sign-in = La demo
demo-sign-in-lead = Entras con la cuenta de administración de la demo. Aquí nada es real.
